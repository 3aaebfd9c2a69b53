/** A conversation to watch: starts gift-genius as a child process, talks to it over stdio, and shows what is said. */
import { fileURLToPath } from "node:url"
import * as chapters from "./chapters.js"
import { screen } from "./paint.js"
import type { Running } from "./process.js"
import { running } from "./process.js"
import { teller } from "./teller.js"

// A reader may have seen enough, as `head` has: then nobody is left to show the rest to, and the servers end with us.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") throw error
  process.exit()
})

const view = screen(process.stdout, process.env)
const tell = teller(view, () => performance.now())
const [program = process.execPath, ...args] = process.argv.slice(2)
const server = [
  program,
  ...(process.argv.length > 2 ? args : [fileURLToPath(new URL("main.js", import.meta.url))])
] as const

/** The newest version that is opened by a handshake. */
const handshake = "2025-11-25"

/** Those that were begun. */
const sessions: Array<Running> = []

view.line(view.style("bold", "A Parley server and a Parley client talk over stdio"))
view.line(view.style("dim", `the server's process: ${server.join(" ")}`))
try {
  await converse()
} catch (error) {
  tell.expect(error instanceof Error ? error.message : String(error), false)
  for (const session of sessions) await session.leave()
}
const wrong = tell.wrong()
view.line()
if (wrong.length === 0) view.line(view.style(["bold", "green"], "Everything went as it should."))
else view.line(view.style(["bold", "red"], `Not as it should be: ${wrong.join("; ")}`))
process.exitCode = wrong.length === 0 ? 0 : 1

async function converse(): Promise<void> {
  const heard: Array<string> = []
  tell.chapter("1. The handshake", "The client says which version it speaks, the server answers with what it can do.")
  const session = await running(tell, server, {
    prefer: handshake,
    on: {
      "notifications/tools/list_changed": () => heard.push("tools"),
      "notifications/resources/list_changed": () => heard.push("resources"),
      "notifications/message": () => heard.push("log")
    }
  })
  sessions.push(session)
  const { client } = session
  tell.chapter("2. What was agreed", "What is not declared here will be refused, whoever asks for it.")
  chapters.introduce(tell, client)
  tell.show("brief")
  tell.chapter("3. Its tools", "What a model may call, with the arguments that each tool declares.")
  await chapters.lookAtTools(tell, client)
  tell.chapter("4. A call", "A gift for a sister of 25, for 50 euros at most.")
  await chapters.askForGifts(tell, client)
  tell.chapter("5. Its resources", "One for each category, on three pages, and a template for every single gift.")
  await chapters.browse(tell, client)
  tell.chapter("6. Its prompt", "Words for a model, made from a gift and a reader.")
  await chapters.prompt(tell, client)
  tell.chapter(
    "7. The catalogue grows",
    "A gift of a new category: both lists change, and the client hears of it at once."
  )
  await chapters.addOne(tell, client, heard)
  tell.show("whole")
  tell.chapter("8. What was not declared", "This server said nothing of completions. The client does not even ask:")
  await chapters.trespass(tell, session)
  tell.show("brief")
  tell.chapter("9. One capability more", "The same server in a second process, which declares completions.")
  const more = await running(tell, [...server, "--completions"], { prefer: handshake })
  sessions.push(more)
  await chapters.complete(tell, more.client)
  tell.chapter(
    "10. Without a handshake",
    "The client of until now was pinned to 2025-11-25. Another one takes the newest version: it asks what the server is, and each of its requests says what it needs to."
  )
  tell.show("whole")
  const newer = await running(tell, [...server, "--completions"])
  sessions.push(newer)
  tell.show("brief")
  await chapters.askBothWays(tell, more.client, newer.client)
  tell.chapter("11. Goodbye", "A server on standard streams leaves when its input ends.")
  const left = [await session.leave(), await more.leave(), await newer.leave()]
  tell.expect(
    "all three left with exit code 0",
    left.every((how) => how === "exit code 0")
  )
}
