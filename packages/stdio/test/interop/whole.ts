/** A server with one of everything that other people's clients can do with it. */
import { handshakeRevisions } from "@parley/core/revisions"
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
  serve,
  tool
} from "@parley/server"
import { stdio } from "../../src/stdio.js"

const departments: Readonly<Record<string, ReadonlyArray<string>>> = { Sales: ["David", "Eve"], Support: ["Ada"] }
const guests = form({
  type: "object",
  properties: { guests: { type: "integer" }, vegan: { type: "boolean", default: false } },
  required: ["guests"]
})

// What can not be asked is told as it is.
const told = (error: unknown): string => {
  if (error instanceof AskFailed && error.answer._tag === "Unaskable") return "can not be asked"
  throw error
}

let changes = 0

const server = live(
  defineServer(
    { name: "whole", version: "1.0.0" },
    [
      tool("touch", { description: "Changes the note" }, () => {
        changes++
        server.updated("note://one")
      }),
      tool("book", { asks: { guests } }, async (_, call) => {
        try {
          const one = await call.ask("guests", { message: "first" })
          const two = await call.ask("guests", { message: "second" })
          return `${one.guests + two.guests} guests`
        } catch (error) {
          return told(error)
        }
      }),
      tool("think", { asks: { model: sample(), roots: roots() } }, async (_, call) => {
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
            name: (value, given) =>
              (departments[given["department"] ?? ""] ?? []).filter((one) => one.startsWith(value))
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
    ],
    {
      declare: { resources: { subscribe: true } },
      revisions: handshakeRevisions.filter(({ name }) => (process.env["REVISION"] ?? name) === name)
    }
  )
)

serve(server, stdio())
