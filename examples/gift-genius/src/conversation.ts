/** A conversation to watch: starts gift-genius as a child process, talks to it over stdio, and shows what is said. */
import { fileURLToPath } from "node:url"
import type { Client } from "@parley/client"
import { CallError, connect } from "@parley/client"
import type { CallToolResult, Tool } from "@parley/core"
import type { Channel, Frame } from "@parley/driver"
import { tap } from "@parley/driver"
import { command } from "@parley/stdio"
import { screen } from "./paint.js"
import type { Suggestions } from "./search.js"
import type { Teller } from "./teller.js"
import { teller } from "./teller.js"

/** How long anything may take, in ms. */
const patience = 10_000

const view = screen(process.stdout, process.env)
const tell = teller(view, () => performance.now())
const given = process.argv.slice(2)
const [program, ...args] =
  given.length > 0 ? given : [process.execPath, fileURLToPath(new URL("main.js", import.meta.url))]

let left: string | undefined
const server = command(program!, args, {
  stderr: (line) => tell.text(`(server, on stderr) ${line}`),
  exited: (code, signal) => (left = signal === null ? `exit code ${code}` : `killed by ${signal}`)
})

const heard: Array<(frame: Frame) => void> = []
const channel = tap(server, {
  sent: tell.sent,
  received: (frame) => {
    tell.received(frame)
    for (const listener of heard) listener(frame)
  }
})

view.line(view.style("bold", "A Parley server and a Parley client talk over stdio"))
view.line(view.style("dim", `the server's process: ${[program, ...args].join(" ")}`))
try {
  await converse()
} catch (error) {
  tell.expect(error instanceof Error ? error.message : String(error), false)
  await server.close()
}
const wrong = tell.wrong()
view.line()
if (wrong.length === 0) view.line(view.style(["bold", "green"], "Everything went as it should."))
else view.line(view.style(["bold", "red"], `Not as it should be: ${wrong.join("; ")}`))
process.exitCode = wrong.length === 0 ? 0 : 1

async function converse(): Promise<void> {
  tell.chapter("1. The handshake")
  const client = await connect(channel, {
    clientInfo: { name: "parley-conversation", version: "0.2.0" },
    openingMs: patience,
    timeoutMs: patience
  })
  introduce(client)
  tell.show("brief")
  const [tool] = await list(client)
  if (tool !== undefined) await call(client, tool)
  tell.show("whole")
  await trespass(client)
  await leave(client)
}

function introduce({ peer, asked }: Client): void {
  tell.chapter("2. What was agreed")
  tell.fact("version asked for", asked)
  tell.fact("version in force", peer.revision)
  tell.fact("the client", "parley-conversation 0.2.0")
  tell.fact("the server", `${String(peer.info["name"])} ${String(peer.info["version"])}`)
  tell.fact("the server declares", JSON.stringify(peer.capabilities))
  tell.expect("the version in force is the one asked for", peer.revision === asked)
  tell.expect(
    "the server is gift-genius-backend 0.2.0",
    peer.info["name"] === "gift-genius-backend" && peer.info["version"] === "0.2.0"
  )
  tell.expect("it declares tools and nothing else", Object.keys(peer.capabilities).join() === "tools")
}

async function list(client: Client): Promise<ReadonlyArray<Tool>> {
  tell.chapter("3. Its tools")
  const tools = await client.listTools()
  for (const tool of tools) describe(tell, tool)
  tell.expect("there is one tool, suggest_gifts", tools.map(({ name }) => name).join() === "suggest_gifts")
  tell.expect(
    "its arguments are age, relationship and, optionally, budget",
    tools.flatMap(argumentsOf).join() === "age integer required,relationship string required,budget number optional"
  )
  return tools
}

function describe(tell: Teller, tool: Tool): void {
  tell.fact(tool.name, tool.description ?? "")
  for (const { name, type, need, description } of declared(tool))
    tell.fact(`  ${name}`, [`${type}, ${need}`, description].join(": ").replace(/: $/, ""))
}

function argumentsOf(tool: Tool): ReadonlyArray<string> {
  return declared(tool).map(({ name, type, need }) => `${name} ${type} ${need}`)
}

interface Declared {
  readonly name: string
  readonly type: string
  readonly need: "required" | "optional"
  readonly description: string
}

function declared({ inputSchema }: Tool): ReadonlyArray<Declared> {
  const required = (inputSchema["required"] ?? []) as ReadonlyArray<string>
  const properties = (inputSchema["properties"] ?? {}) as {
    readonly [name: string]: { readonly type?: string; readonly description?: string }
  }
  return Object.entries(properties).map(([name, { type = "anything", description = "" }]) => ({
    name,
    type,
    need: required.includes(name) ? "required" : "optional",
    description
  }))
}

async function call(client: Client, { name }: Tool): Promise<void> {
  tell.chapter("4. A call")
  const result: CallToolResult = await client.callTool(name, {
    age: 25,
    relationship: "sister",
    budget: 50
  })
  if (result.structuredContent === undefined) return tell.expect(`${name} returns gifts`, false)
  const { gifts, matches, note } = result.structuredContent as unknown as Suggestions
  for (const { name, price, description, why } of gifts) {
    tell.fact(`${price.toFixed(2).padStart(6)} euros`, `${name}: ${description}`)
    tell.fact("", why)
  }
  tell.text([`${gifts.length} of ${matches} that fit.`, note ?? ""].join(" ").trim())
  tell.expect(
    "there are gifts, and none is over the budget",
    gifts.length > 0 && gifts.every(({ price }) => price <= 50)
  )
}

async function trespass(client: Client): Promise<void> {
  tell.chapter("5. What was not declared")
  tell.text("Our own client does not even send it:")
  const refusal = await client.request("resources/list").then(
    () => undefined,
    (error: unknown) => error
  )
  tell.text(refusal instanceof CallError ? refusal.message : "it was answered", 4)
  tell.expect(
    "the client refuses to send resources/list",
    refusal instanceof CallError && refusal.reason._tag === "MethodUndeclared"
  )
  tell.text("Past the client's gate, straight into the channel, the server refuses it:")
  const reply = await past(channel, "resources/list")
  tell.expect("the server refuses resources/list with -32601", reply.error?.code === -32601)
  await client.ping()
  tell.expect("and the conversation goes on: a ping is answered", true)
}

interface Reply {
  readonly id?: unknown
  readonly error?: { readonly code: number }
}

/** Sends a request that the client knows nothing of, and waits for its reply. */
async function past(channel: Channel, method: string): Promise<Reply> {
  const id = "past-the-gate"
  let timer: NodeJS.Timeout | undefined
  try {
    return await new Promise((resolve, reject) => {
      const late = new Error(`${method} was not answered within ${patience} ms`)
      timer = setTimeout(() => reject(late), patience)
      heard.push((frame) => {
        const reply = frame._tag === "Text" ? (JSON.parse(frame.text) as Reply) : {}
        if (reply.id === id) resolve(reply)
      })
      void channel.send({ message: { jsonrpc: "2.0", id, method }, via: undefined, last: false })
    })
  } finally {
    clearTimeout(timer)
  }
}

async function leave(client: Client): Promise<void> {
  tell.chapter("6. Goodbye")
  await client.close()
  tell.fact("the server's process", left ?? "has not left")
  tell.expect("the server left with exit code 0 at the end of its input", left === "exit code 0")
}
