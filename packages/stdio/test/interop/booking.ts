/** A server that asks twice, with things to do once between its questions: it outlives its process by a session in a file, or by a key. */
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { defineServer, form, serve, tool } from "@parley/server"
import { stdio } from "../../src/stdio.js"

/** The session or the key, if they are kept; what was done, and where a handler is to halt. */
const { SESSION: session, SEAL_KEY: key, SEAL_TTL_MS: ttlMs, DONE: done = "", HALT: halt = "" } = process.env
/** Whether what is done is told apart by a key, as an idempotent service would. */
const keyed = process.env["KEYED"] !== undefined

const lines = (path: string): ReadonlyArray<string> =>
  existsSync(path) ? readFileSync(path, "utf8").trimEnd().split("\n") : []

/** A side effect that everybody sees. */
function perform(what: string): string {
  if (!keyed || !lines(done).includes(what)) appendFileSync(done, `${what}\n`)
  return `${what} is done`
}

/** The process is killed here, when the test says so. */
async function moment(name: string): Promise<void> {
  if (halt !== name) return
  process.stderr.write(`halted: ${name}\n`)
  await new Promise(() => undefined)
}

const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const sure = form({ type: "object", properties: { sure: { type: "boolean" } }, required: ["sure"] })

const book = tool(
  "book",
  { asks: { guests, sure }, ...(keyed && { annotations: { idempotentHint: true } }) },
  async (_, call) => {
    await call.once("look", () => perform("look"))
    await moment("before the first question")
    const { guests } = await call.ask("guests", { message: "How many guests?" })
    const held = await call.once("hold", () => perform(`hold ${guests}`))
    await moment("before the second question")
    const { sure } = await call.ask("sure", { message: "Sure?" })
    if (!sure) return "not booked"
    const paid = await call.once("pay", () => perform(`pay ${guests}`))
    await moment("before the result")
    return `${held}, ${paid}`
  }
)

serve(defineServer({ name: "booking", version: "1.0.0" }, [book]), stdio(), {
  ...(session !== undefined && {
    session: {
      state: existsSync(session) ? (JSON.parse(readFileSync(session, "utf8")) as unknown) : undefined,
      // Whole or not at all, whenever the process is killed.
      keep: (state) => {
        writeFileSync(`${session}.new`, JSON.stringify(state))
        renameSync(`${session}.new`, session)
      }
    }
  }),
  ...(key !== undefined && {
    seal: { keys: [Buffer.from(key, "hex")], ...(ttlMs !== undefined && { ttlMs: Number(ttlMs) }) }
  })
})
process.stderr.write("started\n")
