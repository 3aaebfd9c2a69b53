/**
 * Connections by the thousand that say nothing: `node tools/idle.mjs [--connections 1000]`. Each one is asked afterwards, and answers; a
 * server that stops tells each of them; and what they held is given back. Says what a connection costs, beside one of nothing but `ws`.
 */
import { fork } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { opened } from "./idle/client.mjs"

const kibibyte = 1024
/** What may be held more after the second crowd has left than after the first: what the engine has compiled meanwhile, and for each of them. */
const slack = (connections) => 256 * kibibyte + 64 * connections
/** How many come first, in a crowd that is not measured, and how long they are left alone, in ms: until their sessions rest. */
const [few, aloneMs] = [300, 2_500]
/** How much more of heap and buffers one may hold than one of bare `ws`. */
const budget = 1.3

/** Prints what it saw, and says whether all was well. */
export async function idle(connections) {
  const wrong = []
  const bare = await visited("bare", connections, wrong)
  const ours = await visited("parley", connections, wrong)
  const ratio = (of) => of(ours) / of(bare)
  console.log(
    `parley holds ${ratio(held).toFixed(2)} x bare ws (budget ${budget}), in resident memory ${ratio(({ rss }) => rss).toFixed(2)} x`
  )
  if (ratio(held) > budget) wrong.push(`a connection holds more than ${budget} x one of bare ws`)
  for (const what of wrong.slice(0, 20)) console.error(`wrong: ${what}`)
  return wrong.length === 0
}

const kinds = ["heap", "external", "rss"]

const held = ({ heap, external }) => heap + external

/** What each connection holds, in bytes. */
async function visited(name, connections, wrong) {
  const server = fork(join(import.meta.dirname, "idle/server.mjs"), [name], { execArgv: ["--expose-gc"] })
  const exited = new Promise((resolve) => server.once("exit", resolve))
  const told = () =>
    Promise.race([
      new Promise((resolve) => server.once("message", resolve)),
      exited.then((code) => Promise.reject(new Error(`the server exited with ${code}`)))
    ])
  const stats = () => {
    server.send("stats")
    return told()
  }
  const must = (holds, what) => holds || wrong.push(`${name}: ${what}`)
  try {
    const { url } = await told()
    // What is loaded and compiled when it is first needed is there before anything is measured.
    await crowd(url, few, stats)
    const before = await emptied(stats)
    const first = await crowd(url, connections, stats)
    const between = await emptied(stats)
    const second = await crowd(url, connections, stats)
    const after = await emptied(stats)
    for (const { open, answered } of [first, second]) {
      must(open.connections === connections, `${open.connections} of ${connections} connections are open`)
      must(answered === connections, `${answered} of ${connections} answered a ping`)
    }
    must(after.connections === 0, `${after.connections} connections are open that were left`)
    must(after.crashes === 0, `${after.crashes} crashes were reported`)
    const grown = held(after) - held(between)
    must(grown < slack(connections), `${Math.round(grown / kibibyte)} KiB more are held after another crowd has left`)

    const each = Object.fromEntries(kinds.map((kind) => [kind, (first.open[kind] - before[kind]) / connections]))
    const inKibibytes = (bytes) => `${(bytes / kibibyte).toFixed(2)} KiB`
    console.log(
      `${name}: ${connections} connections in ${(first.ms / 1000).toFixed(1)} s, each holds ${inKibibytes(each.heap)} of heap, ` +
        `${inKibibytes(each.external)} of buffers, ${inKibibytes(each.rss)} resident; all answered a ping within ` +
        `${first.pinged.toFixed(0)} ms; ${Math.round(grown / kibibyte)} KiB more held when another crowd has come and left`
    )
    if (name !== "bare") await stopped(url, connections, server, exited, must)
    return each
  } finally {
    server.kill()
    await exited
  }
}

/** So many come, are left alone, are asked, and leave. */
async function crowd(url, connections, stats) {
  const began = performance.now()
  const lines = await arrive(url, connections)
  const ms = performance.now() - began
  await new Promise((resolve) => setTimeout(resolve, aloneMs))
  const open = await stats()
  const asked = performance.now()
  const answers = await Promise.all(lines.map(({ ask }) => ask({ jsonrpc: "2.0", id: 2, method: "ping" })))
  const pinged = performance.now() - asked
  await leave(lines)
  return { open, ms, pinged, answered: answers.filter(({ id }) => id === 2).length }
}

/** All are told when the server stops. */
async function stopped(url, connections, server, exited, must) {
  const lines = await arrive(url, connections)
  const began = performance.now()
  server.send("close")
  const codes = await Promise.all(lines.map(({ ended }) => ended))
  const told = codes.filter((code) => code === 1001).length
  must(told === connections, `${told} of ${connections} connections were told that the server stops`)
  must((await exited) === 0, "the server did not end well")
  console.log(`a server that stops has told all ${connections} within ${(performance.now() - began).toFixed(0)} ms`)
}

const initialize = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "idle", version: "1.0.0" } }
}

/** So many connections with an open session, 64 at a time. */
async function arrive(url, connections) {
  const lines = []
  let left = connections
  const works = async () => {
    while (left-- > 0) {
      const line = await opened(url)
      lines.push(line)
      await line.ask(initialize)
      line.send({ jsonrpc: "2.0", method: "notifications/initialized" })
    }
  }
  await Promise.all(Array.from({ length: 64 }, works)).catch((error) => {
    const hint = /EMFILE|ENFILE/.test(error.message) ? "; ulimit -n says how many files a process may have open" : ""
    throw new Error(`connection ${lines.length + 1} of ${connections}: ${error.message}${hint}`)
  })
  return lines
}

/** In each of the ways in which one may leave. */
async function leave(lines) {
  for (const [at, { close, half, cut }] of lines.entries()) [close, half, cut][at % 3]()
  await Promise.all(lines.map(({ ended }) => ended))
}

/** How it is when the last has left. */
async function emptied(stats) {
  let now = await stats()
  for (let left = 100; left > 0 && now.connections > 0; left--) now = await stats()
  return stats()
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({ options: { connections: { type: "string", default: "1000" } } })
  const passed = await idle(Number(values.connections))
  console.log(passed ? "passed" : "failed")
  process.exitCode = passed ? 0 : 1
}
