/** Invariant 13 at length: a thousand conversations by the bare core, standard streams, HTTP and WebSocket, and every row reached. */
import { once } from "node:events"
import { createRequire } from "node:module"
import { PassThrough } from "node:stream"
import { parseArgs } from "node:util"
import { listen } from "../packages/http/dist/node/index.js"
import { systemClock } from "../packages/driver/dist/index.js"
import { fetchHandler } from "../packages/http/dist/server/index.js"
import { stdio } from "../packages/stdio/dist/index.js"
import { cancelled } from "../packages/testing/dist/carried/bare.js"
import { assertCarried, byChannel, byHttp, rows } from "../packages/testing/dist/index.js"
import { listen as listenByWebSocket } from "../packages/websocket/dist/node/index.js"

const { WebSocket } = createRequire(new URL("../packages/websocket/package.json", import.meta.url))("ws")

/** How often each row is reached in a thousand conversations. */
const atLeast = 20

/** Enough that chance leaves no row out. */
const deeds = 40

const quiet = { drainMs: 1, crashed: () => undefined, report: () => undefined }

const streams = byChannel("stdio", () => {
  const [there, back] = [new PassThrough(), new PassThrough()]
  const [here, away] = [back.pipe(new PassThrough()), there.pipe(new PassThrough())]
  return {
    near: stdio({ input: here, output: there, stallMs: 1 }),
    far: stdio({ input: away, output: back, stallMs: 1 }),
    garble: (text) => void there.write(`${text}\n`)
  }
})

const inProcess = (name, options) =>
  byHttp(name, async ({ live }) => {
    const mcp = fetchHandler(live, { ...quiet, ...options })
    await mcp.ready
    const isPrompt = options.streamAfterMs === 0
    return { url: "http://localhost/mcp", answer: (request) => mcp(request), close: mcp.close, isPrompt }
  })

const sockets = byHttp("sockets", async ({ live }) => {
  const { url, close } = await listen(live, { ...quiet, streamAfterMs: 0 })
  return { url, answer: (request) => fetch(request), close, isPrompt: true }
})

/** A clock whose alarms of a second ring at once: sessions rest whenever they can. */
const hurried = { ...systemClock, after: (ms, callback) => systemClock.after(ms === 1_000 ? 0 : ms, callback) }

/** A server that listens, and a client that sends texts. */
const webSockets = (name, clock) => ({
  name,
  inOrder: true,
  begin: async ({ live }, hear) => {
    const { url, close } = await listenByWebSocket(live, { ...quiet, clock })
    const near = new WebSocket(url, ["mcp"])
    near.on("message", (data) => hear({ by: undefined, message: JSON.parse(data.toString()) }))
    await once(near, "open")
    // What came before a ping was taken when the pong comes.
    const send = async (text) => {
      near.send(text)
      near.ping()
      await once(near, "pong")
    }
    return {
      say: (message) => send(JSON.stringify(message)),
      garble: send,
      cancel: ({ id }) => send(JSON.stringify(cancelled(id))),
      close: async () => {
        near.terminate()
        await close()
      }
    }
  }
})

const ways = [
  streams,
  inProcess("fetch", {}),
  inProcess("fetch that streams at once", { streamAfterMs: 0 }),
  webSockets("WebSocket", systemClock),
  webSockets("WebSocket that rests", hurried)
]

/** Whether all ways say the same, and how often each row was reached is at least its share. Prints what it saw. */
export async function carried(conversations, seed) {
  const began = performance.now()
  let counts
  try {
    counts = await assertCarried(ways, { conversations, seed, deeds })
    await assertCarried([sockets], { conversations: Math.ceil(conversations / 5), seed: seed + 1 })
  } catch (error) {
    console.error(error.message)
    return false
  }
  const share = Math.floor((atLeast * conversations) / 1000)
  const rare = rows.filter((row) => (counts.get(row) ?? 0) < share)
  for (const row of rare) console.error(`reached less than ${share} times: ${row} (${counts.get(row) ?? 0})`)
  const least = Math.min(...rows.map((row) => counts.get(row) ?? 0))
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  console.log(
    `\n${conversations} conversations said the same by ${ways.map(({ name }) => name).join(", ")} and, a fifth of them, HTTP over sockets, in ${seconds} s; ` +
      `${rows.length} rows, the rarest ${least} times, seed ${seed}`
  )
  return rare.length === 0
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({
    options: {
      conversations: { type: "string", default: "1000" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) }
    }
  })
  const passed = await carried(Number(values.conversations), Number(values.seed))
  console.log(passed ? "passed" : "failed")
  process.exitCode = passed ? 0 : 1
}
