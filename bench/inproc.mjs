/** In process: one line in, one line out, through a channel that is nothing but two functions. */
import { serialise } from "@parley/core"
import { serve } from "@parley/server"
import { benchServer } from "./server.mjs"

const kit = await import(new URL("lib/toolset.mjs", process.env.BENCH_ROOT).href)

export async function connect({ tools }, onLine) {
  let on
  const channel = {
    cancels: "message",
    open: (events) => (on = events),
    send: ({ message, text }) => onLine(text ?? serialise(message)),
    abort: () => {},
    close: async () => {}
  }
  serve(benchServer(kit, tools), channel)
  await Promise.resolve()
  return { write: (line) => on.frame({ _tag: "Text", text: line, via: "in" }) }
}
