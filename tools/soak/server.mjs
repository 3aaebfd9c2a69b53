/** The server that is soaked, in a process of its own: its parent asks how much it holds. */
import { listen } from "../../packages/http/dist/node/index.js"
import { defineServer, form, tool } from "../../packages/server/dist/index.js"

const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] }

const echo = tool("echo", { input: text }, ({ text }) => text)

/** Says how far it is, ten times a second or so. */
const slow = tool(
  "slow",
  { input: { type: "object", properties: { ms: { type: "integer" }, text: { type: "string" } } } },
  ({ ms, text }, call) =>
    new Promise((resolve) => {
      let far = 0
      const ticking = setInterval(() => call.progress(++far, 100), Math.max(10, ms / 10))
      const end = () => {
        clearInterval(ticking)
        clearTimeout(timer)
        resolve(text)
      }
      const timer = setTimeout(end, ms)
      call.signal.addEventListener("abort", end)
    })
)

const ask = tool(
  "ask",
  { asks: { name: form({ type: "object", properties: { name: { type: "string" } }, required: ["name"] }) } },
  async (_, call) => `Hello, ${(await call.ask("name", { message: "Who?" })).name}`
)

/** More than the buffers between two processes take. */
const flood = tool("flood", {}, (_, call) => {
  for (let at = 0; at < 64; at++) call.log("info", "x".repeat(64 * 1024))
  return "over"
})

let crashes = 0
const { url, count, close } = await listen(
  defineServer({ name: "soaked", version: "1.0.0" }, [echo, slow, ask, flood], { declare: { logging: true } }),
  {
    maxSessionsPerClient: 20_000,
    maxSessions: 20_000,
    maxStreamsPerClient: 20_000,
    maxBodyBytes: 256 * 1024,
    bodyMs: 1_500,
    headersMs: 1_500,
    idleMs: 2_000,
    stallMs: 1_500,
    keepAliveMs: 500,
    streamAfterMs: 50,
    sessionIdleMs: 6_000,
    resumeMs: 1_500,
    drainMs: 1_000,
    crashed: (what, error) => {
      crashes++
      console.error(what, error)
    }
  }
)

process.on("message", (what) => void told(what))

async function told(what) {
  if (what === "close") {
    await close()
    process.exit(0)
  }
  for (let times = 0; times < 3; times++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    globalThis.gc()
  }
  const { heapUsed, rss } = process.memoryUsage()
  const { TCPSocketWrap = 0, Timeout = 0 } = resources()
  process.send({ heapUsed, rss, ...count(), sockets: TCPSocketWrap, timers: Timeout, crashes })
}
// Its parent may have been killed.
process.on("disconnect", () => process.exit(1))
process.send({ url })

function resources() {
  const counts = {}
  for (const name of process.getActiveResourcesInfo()) counts[name] = (counts[name] ?? 0) + 1
  return counts
}
