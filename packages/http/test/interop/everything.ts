/** A server with one of everything that other people's clients can do with it, in either era. */
import type { Revision } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Item, Live } from "@parley/server"
import {
  AskFailed,
  defineServer,
  form,
  live,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  tool
} from "@parley/server"

type Promised = { readonly resources: { readonly subscribe: true }; readonly tools: { readonly listChanged: true } }

export interface Everything {
  readonly server: Live<Promised>
  /** Settles when the next call of `wait` was interrupted. */
  readonly interrupted: () => Promise<string>
}

const departments: Readonly<Record<string, ReadonlyArray<string>>> = { Sales: ["David", "Eve"], Support: ["Ada"] }
const guests = form({
  type: "object",
  properties: { guests: { type: "integer" }, vegan: { type: "boolean", default: false } },
  required: ["guests"]
})
const two = {
  type: "object",
  properties: { a: { type: "number" }, b: { type: "number" } },
  required: ["a", "b"]
} as const
const sum = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const
const steps = { type: "object", properties: { steps: { type: "integer" } }, required: ["steps"] } as const

export function everything(spoken: ReadonlyArray<Revision> = revisions): Everything {
  let changes = 0
  let finish = (): void => {}
  let tell: (why: string) => void = () => {}
  const items: ReadonlyArray<Item> = [
    tool("add", { description: "Adds two numbers", input: two, output: sum }, ({ a, b }) => ({ sum: a + b })),
    tool("touch", { description: "Changes the note" }, () => {
      changes++
      server.updated("note://one")
    }),
    tool("grow", { description: "Brings another tool" }, () =>
      server.set([...items, tool("grown", {}, () => "grown")])
    ),
    tool("shrink", { description: "Takes that tool away" }, () => server.set(items)),
    tool("say", { description: "Writes to the log" }, (_, call) => {
      for (const level of ["debug", "warning"] as const) call.log(level, `said at ${level}`)
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
          tell((call.signal.reason as Error).message)
          reject(call.signal.reason as Error)
        })
      )
    }),
    tool("book", { description: "Asks twice", asks: { guests } }, async (_, call) => {
      try {
        const one = await call.ask("guests", { message: "first" })
        const two = await call.ask("guests", { message: "second" })
        return `${one.guests + two.guests} guests`
      } catch (error) {
        if (error instanceof AskFailed && error.answer._tag === "Unaskable") return "can not be asked"
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
    resource("note://one", { name: "one", title: "One", mimeType: "text/plain" }, () => `changed ${changes} times`),
    resourceTemplate(
      "person://{department}/{name}",
      {
        name: "person",
        complete: {
          department: (value) => Object.keys(departments).filter((one) => one.startsWith(value)),
          name: (value, given) => (departments[given["department"] ?? ""] ?? []).filter((one) => one.startsWith(value))
        }
      },
      ({ department, name }) => new TextEncoder().encode(`${name} of ${department}`)
    ),
    prompt(
      "greet",
      {
        arguments: {
          who: { required: true, complete: (value) => ["Ada", "Alan", "Eve"].filter((one) => one.startsWith(value)) }
        }
      },
      ({ who }) => `Greet ${who}.`
    )
  ]
  const server: Live<Promised> = live(
    defineServer({ name: "everything", version: "1.0.0" }, items, {
      declare: { tools: { listChanged: true }, resources: { subscribe: true }, logging: true },
      revisions: spoken,
      instructions: "Add, and it shall be summed."
    })
  )
  return { server, interrupted: () => new Promise((resolve) => (tell = resolve)) }
}
