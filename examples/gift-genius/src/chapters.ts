/** The chapters of the conversation: what is asked, and what is expected of the answers. */
import { CallError } from "@parley/client"
import type { Client } from "@parley/client"
import type { Running } from "./process.js"
import type { Suggestions } from "./search.js"
import { argumentsOf } from "./table.js"
import type { Teller } from "./teller.js"

export function introduce(tell: Teller, { peer, asked }: Client): void {
  const { name, version } = peer.info as { readonly name: string; readonly version: string }
  tell.fact("version asked for", asked)
  tell.fact("version in force", peer.revision)
  tell.fact("the client", "parley-conversation 0.2.0")
  tell.fact("the server", `${name} ${version}`)
  for (const [capability, flags] of Object.entries(peer.capabilities))
    tell.fact(`  declares ${capability}`, JSON.stringify(flags))
  tell.expect("the version in force is the one asked for", peer.revision === asked)
  tell.expect("the server is gift-genius-backend 0.2.0", `${name} ${version}` === "gift-genius-backend 0.2.0")
  tell.expect(
    "it declares tools, resources, prompts and logging, and nothing else",
    Object.keys(peer.capabilities).toSorted().join() === "logging,prompts,resources,tools"
  )
}

export async function lookAtTools(tell: Teller, client: Client): Promise<void> {
  const tools = await client.listTools()
  for (const tool of tools) {
    tell.fact(tool.name, tool.description ?? "")
    for (const { name, type, need, description } of argumentsOf(tool))
      tell.fact(`  ${name}`, [`${type}, ${need}`, description].join(": ").replace(/: $/, ""))
  }
  tell.expect("there are two tools", tools.map(({ name }) => name).join() === "suggest_gifts,add_gift")
}

export async function askForGifts(tell: Teller, client: Client): Promise<void> {
  const result = await client.callTool("suggest_gifts", { age: 25, relationship: "sister", budget: 50 })
  if (result.structuredContent === undefined) return tell.expect("suggest_gifts returns gifts", false)
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

/** The same call in both eras of the protocol: one server, one handler, one answer. */
export async function askBothWays(tell: Teller, older: Client, newer: Client): Promise<void> {
  tell.expect("this one speaks 2026-07-28", newer.peer.revision === "2026-07-28")
  tell.expect("the other one still speaks 2025-11-25", older.peer.revision === "2025-11-25")
  tell.expect(
    "the server declares the same to both",
    JSON.stringify(older.peer.capabilities) === JSON.stringify(newer.peer.capabilities)
  )
  const nephew = { age: 7, relationship: "nephew", budget: 30 }
  const { structuredContent: first } = await older.callTool("suggest_gifts", nephew)
  const { structuredContent: second } = await newer.callTool("suggest_gifts", nephew)
  if (second === undefined) return tell.expect("suggest_gifts returns gifts", false)
  tell.fact("a gift for a nephew", (second as unknown as Suggestions).gifts[0]?.name ?? "none")
  tell.expect("both are suggested the same gifts", JSON.stringify(first) === JSON.stringify(second))
}

export async function browse(tell: Teller, client: Client): Promise<void> {
  const names: Array<string> = []
  let pages = 0
  for await (const page of client.resources().pages()) {
    pages += 1
    names.push(...page.map(({ name }) => name))
  }
  tell.fact("categories", names.join(", "))
  tell.expect("they came on three pages", pages === 3)
  const [template] = await client.listResourceTemplates()
  tell.fact("template", `${template?.uriTemplate}: ${template?.description}`)
  const { contents } = await client.readResource("gift://knitted-rabbit")
  tell.expect("gift://knitted-rabbit can be read", JSON.stringify(contents).includes("merino"))
}

export async function prompt(tell: Teller, client: Client): Promise<void> {
  const { messages } = await client.getPrompt("describe_gift", { gift: "knitted-rabbit", user: "a first-time uncle" })
  const [message] = messages
  const text = message?.content.type === "text" ? message.content.text : ""
  for (const line of text.split("\n")) tell.text(line, 4)
  tell.expect("it names the gift and the reader", text.includes("Knitted rabbit") && text.includes("first-time uncle"))
}

export async function addOne(tell: Teller, client: Client, heard: ReadonlyArray<string>): Promise<void> {
  const kite = {
    id: "paper-kite",
    name: "Paper kite",
    description: "A kite of rice paper and bamboo, to be painted before it flies",
    price: 16.5,
    category: "kites",
    youngest: 6,
    oldest: 99
  }
  const added = await client.callTool("add_gift", kite)
  tell.expect("the gift is added", added.isError !== true)
  tell.expect(
    "before the reply the server told that its tools and resources changed, and wrote to our log",
    heard.join() === "tools,resources,log"
  )
  const [listed, { contents }] = [await client.listResources(), await client.readResource("gift://paper-kite")]
  tell.expect(
    "the new category is listed, and the gift can be read",
    listed.some(({ name }) => name === "kites") && contents.length === 1
  )
  const again = await client.callTool("add_gift", kite)
  tell.expect("the same id a second time is refused, in words for the model", again.isError === true)
}

export async function trespass(tell: Teller, { client, past }: Running): Promise<void> {
  const refusal = await client.complete({ prompt: "describe_gift" }, { name: "gift", value: "kn" }).then(
    () => undefined,
    (error: unknown) => error
  )
  tell.text(refusal instanceof CallError ? refusal.message : "it was answered", 4)
  tell.expect(
    "the client refuses to send completion/complete",
    refusal instanceof CallError && refusal.reason._tag === "MethodUndeclared"
  )
  tell.text("Past the client's gate, straight into the channel, the server refuses it:")
  const { error } = await past("completion/complete", completion)
  tell.expect("the server refuses completion/complete with -32601", error?.code === -32601)
  const watching = await past("resources/subscribe", { uri: "category://toys" })
  tell.expect("and resources/subscribe, for it declares resources without subscribe", watching.error?.code === -32601)
  await client.ping()
  tell.expect("the conversation goes on: a ping is answered", true)
}

export async function complete(tell: Teller, client: Client): Promise<void> {
  tell.fact("the server declares", Object.keys(client.peer.capabilities).toSorted().join(", "))
  const { values } = await client.complete({ prompt: "describe_gift" }, completion.argument)
  tell.fact("kn could become", values.slice(0, 3).join(", "))
  tell.expect("now that it is declared, it is answered", values.includes("knitted-rabbit"))
}

const completion = {
  ref: { type: "ref/prompt", name: "describe_gift" },
  argument: { name: "gift", value: "kn" }
} as const
