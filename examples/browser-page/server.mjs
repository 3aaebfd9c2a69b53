/** A server that runs in the page: the machine, the driver's loop over a channel, and handlers. Every step is shown to `seen`. */
import { revisions } from "@parley/core/revisions"
import { serverMachine } from "@parley/core/server"
import { drive, sealer } from "@parley/driver"

const object = (properties) => ({ type: "object", properties, required: Object.keys(properties) })
const number = { type: "number" }
const tools = [
  { name: "add", description: "Adds two numbers", inputSchema: object({ a: number, b: number }) },
  { name: "count", description: "Counts to three, and tells how far it is", inputSchema: object({}) },
  { name: "book", description: "Books a table, and asks for how many", inputSchema: object({}) },
  { name: "sleep", description: "Takes its time, until nobody waits any more", inputSchema: object({}) }
]
const definition = {
  info: { name: "in-the-page", version: "1.0.0" },
  instructions: undefined,
  capabilities: { tools: {} },
  revisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 100,
  tools,
  resources: [],
  templates: [],
  prompts: [],
  requires: {},
  caching: {}
}
const requestedSchema = object({ guests: { type: "integer", minimum: 1, title: "Guests" } })
const question = {
  key: "guests",
  method: "elicitation/create",
  params: { mode: "form", message: "A table for how many?", requestedSchema }
}

/** Serves on the channel. `seen` gets `{ input, outputs, state }` of each step, the state as JSON. `pauseMs`: how slow `count` is. */
export function serveInPage(channel, seen, pauseMs) {
  const machine = serverMachine(definition)
  const { seal, unseal } = sealer({ name: definition.info.name })
  const step = (state, input) => {
    const [next, outputs] = machine.step(state, input)
    seen({ input, outputs, state: machine.encode(next) })
    return [next, outputs]
  }
  const driver = drive({
    machine: { ...machine, step },
    channel,
    perform,
    ended: ({ _tag }) => ({ _tag: _tag === "Ended" ? "InputEnded" : "PeerClosed" })
  })

  function perform(output) {
    const { _tag, call, id } = output
    if (_tag === "Invoke") void run(output)
    if (_tag === "Seal")
      void seal(output.payload, output.bound).then((token) => driver.feed({ _tag: "Sealed", call, id, token }))
    if (_tag === "Unseal")
      void unseal(output.token, output.bound).then((payload) => driver.feed({ _tag: "Unsealed", call, id, payload }))
  }

  async function run({ call, id, target, answers }) {
    const tell = (input) => driver.feed({ ...input, call, id })
    const say = (text) => tell({ _tag: "Succeeded", result: { content: [{ type: "text", text }] } })
    const { a, b } = target.arguments
    switch (target.name) {
      case "add":
        if (typeof a === "number" && typeof b === "number") say(String(a + b))
        else tell({ _tag: "ArgumentsRefused", why: "a and b are numbers" })
        break
      case "count":
        for (let progress = 1; progress <= 3; progress++) {
          await new Promise((resolve) => setTimeout(resolve, pauseMs))
          tell({ _tag: "Progressed", progress, total: 3 })
        }
        say("three")
        break
      case "book": {
        if (answers === undefined) return tell({ _tag: "NeedsInput", questions: [question], once: {} })
        const guests = answers.guests?.result?.content?.guests
        say(guests === undefined ? "No table, then" : `A table for ${guests}`)
      }
    }
  }
  return driver.closed
}
