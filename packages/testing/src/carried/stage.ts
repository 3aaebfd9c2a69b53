/** The server that is served over every carrier: its handlers do what the conversation says, and note what they live through. */
import type { JsonObject, LoggingLevel } from "@parley/core"
import type { Live } from "@parley/server"
import {
  defineServer,
  failed,
  form,
  live,
  page,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  tool
} from "@parley/server"

/** One thing that a handler does. */
export type Act =
  | readonly ["progress", number]
  | readonly ["log", LoggingLevel]
  /** Until the conversation says so, or the call is withdrawn. */
  | readonly ["wait", string]
  | readonly ["ask", "form" | "page" | "sample" | "roots"]
  | readonly ["once", string]
  | readonly ["end", "text" | "nothing" | "image" | "structure" | "failed" | "thrown" | "crooked"]

/** What a handler is to do: the arguments of the tool `run`. */
export interface Script extends JsonObject {
  /** By which its conversation knows it. */
  readonly tag: string
  readonly acts: ReadonlyArray<Act> & JsonObject[string]
}

export interface Stage {
  readonly live: Live
  /** A handler that waits there goes on, now or when it gets there. */
  readonly open: (gate: string) => void
  /** Something else is registered than before, or that again. */
  readonly change: () => Promise<void>
}

/** `note` is told what handlers live through, in their order. */
export function stage(note: (what: string) => void): Stage {
  const gates = new Map<string, { readonly opened: Promise<void>; readonly open: () => void }>()
  const gate = (name: string) => {
    const known = gates.get(name) ?? made()
    gates.set(name, known)
    return known
  }

  const run = tool(
    "run",
    {
      description: "Does what it is told",
      input: { type: "object", properties: { tag: { type: "string" }, acts: { type: "array" } }, required: ["tag"] },
      asks: {
        form: form({ type: "object", properties: { n: { type: "integer" } } }),
        page: page(),
        sample: sample(),
        roots: roots()
      },
      task: "optional"
    },
    async (args, call) => {
      const { tag, acts } = args as unknown as Script
      note(`${tag} began`)
      for (const [kind, what] of acts) {
        if (kind === "progress") call.progress(what, 100, `${tag} at ${what}`)
        else if (kind === "log") call.log(what, { tag }, "stage")
        else if (kind === "once") await call.once(what, () => note(`${tag} did ${what}`))
        else if (kind === "wait") {
          note(`${tag} waits`)
          if (await waited(gate(what).opened, call.signal)) note(`${tag} goes on`)
          else return note(`${tag} was withdrawn`)
        } else if (kind === "ask") {
          if (what === "form") await call.ask("form", { message: tag })
          else if (what === "page")
            await call.ask("page", { message: tag, url: "https://example.com/", elicitationId: `page of ${tag}` })
          else if (what === "roots") await call.ask("roots")
          else
            await call.ask("sample", {
              messages: [{ role: "user", content: { type: "text", text: tag } }],
              maxTokens: 1
            })
        } else return ends[what](tag) as never
      }
      return "done"
    }
  )
  const sum = tool(
    "sum",
    {
      description: "Adds",
      input: {
        type: "object",
        properties: { a: { type: "number" }, b: { type: "integer", "x-mcp-header": "B" } },
        required: ["a"]
      },
      output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] }
    },
    ({ a, b = 0 }) => ({ sum: a + b })
  )
  const more = tool("more", { description: "Comes and goes" }, () => "more")
  const greet = prompt(
    "greet",
    { arguments: { who: { required: true, complete: (typed) => [`${typed}n`, "ann"] }, how: {} } },
    ({ who }) => `Greet ${who}`
  )
  const another = prompt("another", {}, () => "Another")
  const files = ["file:///a", "file:///b", "file:///c"].map((uri) =>
    resource(uri, { name: uri.slice(-1), mimeType: "text/plain" }, () => uri)
  )
  const any = resourceTemplate("file:///of/{name}", { name: "any", complete: { name: () => ["x", "y"] } }, ({ name }) =>
    name === "none" ? undefined : new Uint8Array([1, 2, 3])
  )
  const less = [run, sum, greet, ...files, any]
  const all = [...less, more, another, resource("file:///d é", { name: "d" }, () => "d")]
  const subject = live(
    defineServer({ name: "stage", version: "1.0.0" }, less, {
      pageSize: 2,
      declare: {
        tools: { listChanged: true },
        prompts: { listChanged: true },
        resources: { listChanged: true, subscribe: true },
        logging: true,
        tasks: {}
      }
    })
  )
  let isMore = false
  return {
    live: subject,
    open: (name) => gate(name).open(),
    change: () => {
      isMore = !isMore
      return subject.set(isMore ? all : less)
    }
  }
}

const ends: { readonly [how in Extract<Act, readonly ["end", unknown]>[1]]: (tag: string) => unknown } = {
  text: (tag) => `done: ${tag}`,
  nothing: () => undefined,
  image: () => ({ type: "image", data: "AQID", mimeType: "image/png" }),
  structure: (tag) => ({ content: [{ type: "text", text: tag }], structuredContent: { tag } }),
  failed: (tag) => failed(`${tag} can not`),
  thrown: () => {
    throw new Error("nobody's business")
  },
  crooked: () => ({ content: 7 })
}

function made() {
  let open!: () => void
  const opened = new Promise<void>((resolve) => (open = resolve))
  return { opened, open }
}

/** Whether it was opened before the signal. */
const waited = (opened: Promise<void>, signal: AbortSignal): Promise<boolean> =>
  new Promise((resolve) => {
    void opened.then(() => resolve(!signal.aborted))
    if (signal.aborted) resolve(false)
    signal.addEventListener("abort", () => resolve(false))
  })
