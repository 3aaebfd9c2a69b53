/** A server for either kind of client, or for both, as ERAS says: one item for each thing that the two do differently. */
import { handshakeRevisions, perRequestRevisions, revisions } from "@parley/core/revisions"
import {
  AskDeclined,
  defineServer,
  form,
  live,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  serve,
  tool
} from "@parley/server"
import type { Item, Live } from "@parley/server"
import { stdio } from "../../src/stdio.js"

const spoken = { legacy: handshakeRevisions, modern: perRequestRevisions, dual: revisions }
const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const steps = { type: "object", properties: { steps: { type: "integer" } }, required: ["steps"] } as const
const which = { type: "object", properties: { note: { type: "string" } }, required: ["note"] } as const
const who = { type: "object", properties: { by: { type: "string" } }, required: ["by"] } as const
const sum = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const

const changes = new Map<string, number>()
let finish = (): void => {}
const ran = (what: string): void => void process.stderr.write(`ran: ${what}\n`)

const items: ReadonlyArray<Item> = [
  tool(
    "add",
    {
      description: "Adds two numbers",
      input: { type: "object", properties: { a: { type: "number" }, b: { type: "number" } }, required: ["a", "b"] },
      output: sum
    },
    ({ a, b }) => {
      ran("add")
      return { sum: a + b }
    }
  ),
  tool("touch", { description: "Changes a note", input: which }, ({ note }) => {
    changes.set(note, (changes.get(note) ?? 0) + 1)
    server.updated(note)
  }),
  tool("grow", { description: "Brings another tool" }, () =>
    server.set([...items, tool("grown", { description: "Came later" }, () => "grown")])
  ),
  tool("shrink", { description: "Takes that tool away" }, () => server.set(items)),
  tool("say", { description: "Writes to the log", input: who }, ({ by }, call) => {
    for (const level of ["debug", "info", "warning"] as const) call.log(level, `${by} at ${level}`)
    return "said"
  }),
  // It ends when it is told to, because the official clients drop progress that is read together with the reply.
  tool("count", { description: "Tells of each step", input: steps }, async ({ steps }, call) => {
    for (let step = 1; step <= steps; step++) call.progress(step, steps)
    await new Promise<void>((resolve) => (finish = resolve))
    return `counted to ${steps}`
  }),
  tool("finish", { description: "Lets count come to its end" }, () => finish()),
  tool("wait", { description: "Waits to be cancelled" }, (_, call) => {
    call.progress(1)
    return new Promise<string>((_resolve, reject) =>
      call.signal.addEventListener("abort", () => {
        process.stderr.write(`interrupted: ${(call.signal.reason as Error).message}\n`)
        reject(call.signal.reason as Error)
      })
    )
  }),
  tool("book", { description: "Asks twice", asks: { guests } }, async (_, call) => {
    try {
      await call.once("look", () => ran("look"))
      const one = await call.ask("guests", { message: "first" })
      await call.once("hold", () => ran(`hold ${one.guests}`))
      const two = await call.ask("guests", { message: "second" })
      return `${one.guests + two.guests} guests`
    } catch (error) {
      if (error instanceof AskDeclined) return error.action
      throw error
    }
  }),
  tool("need", { description: "Can not do without", asks: { guests }, requires: ["guests"] }, () => "asked nothing"),
  tool("think", { description: "Asks the model", asks: { model: sample(), roots: roots() } }, async (_, call) => {
    const { model, roots } = await call.askAll({
      model: { messages: [{ role: "user", content: { type: "text", text: "2 + 3?" } }], maxTokens: 5 },
      roots: undefined
    })
    return `${model.model} in ${roots.map(({ uri }) => uri).join()}`
  }),
  ...["one", "two"].map((name) =>
    resource(`note://${name}`, { name, mimeType: "text/plain" }, (uri) => `changed ${changes.get(uri) ?? 0} times`)
  ),
  resourceTemplate(
    "person://{name}",
    { name: "person", complete: { name: (value) => ["Ada", "Alan"].filter((one) => one.startsWith(value)) } },
    ({ name }) => new TextEncoder().encode(name)
  ),
  prompt("greet", { arguments: { who: { required: true } } }, ({ who }) => `Greet ${who}.`)
]

const server: Live<{ readonly resources: { readonly subscribe: true } }> = live(
  defineServer({ name: "eras", version: "1.0.0" }, items, {
    declare: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: true
    },
    revisions: spoken[(process.env["ERAS"] ?? "dual") as keyof typeof spoken],
    instructions: "Add, and it shall be summed.",
    pageSize: 4
  })
)

serve(server, stdio(), {
  report: (report) => {
    if (report._tag === "Agreed") process.stderr.write(`agreed: ${report.asked} ${report.peer.revision}\n`)
  }
})
