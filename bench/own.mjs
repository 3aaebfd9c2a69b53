/** Our own figures, with nothing to compare to but themselves: costs of a step, growth, and what a session holds. */
import { serverMachine } from "@parley/core/server"
import { defineServer, tool } from "@parley/server"

const schema = { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] }
/** Only that everything runs. */
const share = process.argv.includes("--smoke") ? 0.01 : 1
const withTools = (count) =>
  serverMachine(
    defineServer({ name: "bench", version: "1.0.0" }, [
      tool("add", { description: "Adds two numbers", input: schema }, ({ a, b }) => String(a + b)),
      ...Array.from({ length: count - 1 }, (_, i) =>
        tool(`tool_${i}`, { description: "Does nothing at all.", input: schema }, () => "ok")
      )
    ]).definition
  )

const initialize = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "bench", version: "1.0.0" } }
}
const received = (json) => ({ _tag: "Received", json, via: "in" })
const call = (id) =>
  received({ jsonrpc: "2.0", id, method: "tools/call", params: { name: "add", arguments: { a: 1, b: 2 } } })
const result = { content: [{ type: "text", text: "3" }] }

function opened(machine) {
  const [state] = machine.step(machine.initial, received(initialize))
  return machine.step(state, received({ jsonrpc: "2.0", method: "notifications/initialized" }))[0]
}

/** One call from request to reply while `open` others wait, in us. */
function callCost(machine, open, rounds = 200_000) {
  let state = opened(machine)
  for (let id = 1; id <= open; id++) [state] = machine.step(state, call(id))
  let id = 1_000_000
  const round = () => {
    const [waiting, [invoke]] = machine.step(state, call(id))
    ;[state] = machine.step(waiting, { _tag: "Succeeded", call: invoke.call, id: id++, result })
  }
  return best(round, rounds)
}

function listCost(machine, rounds = 200_000) {
  const state = opened(machine)
  let id = 1
  return best(() => machine.step(state, received({ jsonrpc: "2.0", id: id++, method: "tools/list" })), rounds)
}

/** The best of ten slices: least touched by whatever else runs. */
function best(round, rounds) {
  let least = Infinity
  for (let slice = 0; slice < 10; slice++) {
    const from = performance.now()
    for (let i = 0; i < (rounds * share) / 10; i++) round()
    least = Math.min(least, ((performance.now() - from) / ((rounds * share) / 10)) * 1_000)
  }
  return least
}

/** Heap that one idle session holds, in bytes. */
function sessionHeap(machine, count = 20_000 * share) {
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  const sessions = Array.from({ length: count }, (_, i) => {
    const text = JSON.stringify({ ...initialize, id: i })
    const [state] = machine.step(machine.initial, received(JSON.parse(text)))
    return machine.step(state, received({ jsonrpc: "2.0", method: "notifications/initialized" }))[0]
  })
  globalThis.gc?.()
  const held = (process.memoryUsage().heapUsed - before) / count
  return sessions.length === count ? held : NaN
}

const ten = withTools(10)
const many = withTools(10_000)
const rows = [
  ["a call, request to reply, 10 tools", callCost(ten, 0), "us"],
  ["a call, 10,000 tools", callCost(many, 0), "us"],
  ["a call, 100 others open", callCost(ten, 100), "us"],
  ["a call, 10,000 others open", callCost(ten, 10_000), "us"],
  ["tools/list, 10 tools", listCost(ten), "us"],
  ["tools/list, 10,000 tools (1,000 a page)", listCost(many), "us"],
  ["heap of an idle session, 10 tools", sessionHeap(ten), "bytes"],
  ["heap of an idle session, 10,000 tools", sessionHeap(many), "bytes"]
]
for (const [what, value, unit] of rows)
  console.log(`${what.padEnd(44)} ${value.toFixed(unit === "us" ? 2 : 0).padStart(8)} ${unit}`)
console.log(
  `growth with tools (budget 1.15): ${(rows[1][1] / rows[0][1]).toFixed(2)}; with open requests (budget 1.5): ${(rows[3][1] / rows[0][1]).toFixed(2)}`
)
