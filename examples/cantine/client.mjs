/** Starts the server, sends seven messages, most of which it must refuse, and asks a model what such a server can do. */
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { sentenceAbout } from "./model.mjs"

// Its reader may have seen enough, as `head -1` has: then nobody is left to show the rest to.
process.stdout.on("error", (error) => {
  if (error.code !== "EPIPE") throw error
  process.exit()
})

const us = { capabilities: {}, clientInfo: { name: "cantine-client", version: "0.2" } }
const messages = [
  { what: "A list before the handshake", id: 1, method: "tools/list" },
  {
    what: "A version that nobody speaks",
    id: 2,
    method: "initialize",
    params: { protocolVersion: "1999-01-01", ...us }
  },
  { what: "A version that it speaks", id: 3, method: "initialize", params: { protocolVersion: "2024-11-05", ...us } },
  { what: "A list before we said that we are ready", id: 4, method: "tools/list" },
  { what: "We are ready", method: "notifications/initialized" },
  { what: "A list, now in order", id: 5, method: "tools/list" },
  { what: "What it did not declare", id: 6, method: "resources/list" }
]

const path = fileURLToPath(new URL("server.mjs", import.meta.url))
const server = spawn(process.execPath, [path], { stdio: ["pipe", "pipe", "inherit"] })
const answers = createInterface({ input: server.stdout })[Symbol.asyncIterator]()
// When it dies, the missing answer says so.
server.stdin.on("error", () => {})

let capabilities = {}
for (const { what, ...message } of messages) {
  const text = JSON.stringify({ jsonrpc: "2.0", ...message })
  console.log(`${what}\n  --> ${text}`)
  server.stdin.write(`${text}\n`)
  const answer = message.id === undefined ? undefined : (await answers.next()).value
  if (answer === undefined && message.id !== undefined) {
    console.error("The server left without an answer.")
    process.exit(1)
  }
  console.log(`  <-- ${answer ?? "(a notification is not answered)"}\n`)
  if (message.id === 3) capabilities = JSON.parse(answer).result.capabilities
}
server.stdin.end()

console.log("What can a server with these capabilities do?")
const { sentence, missing } = await sentenceAbout(capabilities, process.env)
if (missing !== undefined) console.log(`  No model said so (${missing}); this example was written by hand:`)
console.log(`  ${sentence}`)
