/** A server of nothing but the core: each line of input is a step, and what the step puts out is done. */
import { createInterface } from "node:readline"
import { serverMachine } from "@parley/core/server"
import { definition } from "./definition.mjs"

const machine = serverMachine(definition)
const timers = new Map()
let state = machine.initial

function step(input) {
  const [next, outputs] = machine.step(state, input)
  state = next
  outputs.forEach(perform)
}

function perform(output) {
  const timer = JSON.stringify(output.timer)
  const fire = () => step({ _tag: "TimerFired", timer: output.timer })
  if (output._tag === "Send") console.log(output.text ?? JSON.stringify(output.message))
  if (output._tag === "Invoke") queueMicrotask(() => step(add(output)))
  if (output._tag === "StartTimer" || output._tag === "StopTimer") clearTimeout(timers.get(timer))
  if (output._tag === "StartTimer") timers.set(timer, setTimeout(fire, output.ms))
  if (output._tag === "Close") process.stdin.destroy()
}

function add({ call, id, target }) {
  const { a, b } = target.arguments
  const fits = typeof a === "number" && typeof b === "number"
  if (!fits) return { _tag: "ArgumentsRefused", call, id, why: "a and b are numbers" }
  return { _tag: "Succeeded", call, id, result: { content: [{ type: "text", text: String(a + b) }] } }
}

const lines = createInterface({ input: process.stdin }).on("close", () => step({ _tag: "InputEnded" }))
lines.on("line", (line) => {
  let input = { _tag: "Garbled", why: "json", via: "stdin" }
  try {
    input = { _tag: "Received", json: JSON.parse(line), via: "stdin" }
  } catch {}
  step(input)
})
