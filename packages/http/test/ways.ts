/** The ways from a client to a server, as invariant 13 compares them. */
import { PassThrough } from "node:stream"
import { stdio } from "../../stdio/src/stdio.js"
import type { Site, Stage, Way } from "../../testing/src/index.js"
import { byChannel, byHttp } from "../../testing/src/index.js"
import type { HttpOptions } from "../src/server/options.js"
import { fetchHandler } from "../src/server/fetch.js"
import { listen } from "../src/node/listen.js"

const quiet = { drainMs: 1, crashed: () => undefined, report: () => undefined } as const

export const streams: Way = byChannel("stdio", () => {
  const [there, back] = [new PassThrough(), new PassThrough()]
  const [here, away] = [back.pipe(new PassThrough()), there.pipe(new PassThrough())]
  return {
    near: stdio({ input: here, output: there, stallMs: 1 }),
    far: stdio({ input: away, output: back, stallMs: 1 }),
    garble: (text) => void there.write(`${text}\n`)
  }
})

/** The fetch handler in this process; `through` may change what comes back. */
export const inProcess = (name: string, options: HttpOptions = {}, through = (answer: Site["answer"]) => answer): Way =>
  byHttp(name, async ({ live }: Stage) => {
    const mcp = fetchHandler(live, { ...quiet, ...options })
    await mcp.ready
    const answer = through((request) => mcp(request))
    return { url: "http://localhost/mcp", answer, close: mcp.close, isPrompt: options.streamAfterMs === 0 }
  })

/** A server that listens, and the platform's own client. */
export const sockets: Way = byHttp("sockets", async ({ live }: Stage) => {
  const { url, close } = await listen(live, { ...quiet, streamAfterMs: 0 })
  return { url, answer: (request) => fetch(request), close, isPrompt: true }
})
