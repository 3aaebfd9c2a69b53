/** What both official clients do with a whole server: list, read, subscribe, complete, get prompts, and answer its questions. */
import { expect } from "vitest"

// oxlint-disable-next-line typescript/no-explicit-any -- what came back is looked at as it is
type Does = (params: any) => Promise<any>

/** The names that both clients share. */
export interface Official {
  readonly listTools: Does
  readonly callTool: Does
  readonly listResources: Does
  readonly listResourceTemplates: Does
  readonly readResource: Does
  readonly subscribeResource: Does
  readonly unsubscribeResource: Does
  readonly listPrompts: Does
  readonly getPrompt: Does
  readonly complete: Does
}

/** What the server asked, and what it told on its own. */
export class Asked {
  readonly forms: Array<string> = []
  readonly samples: Array<unknown> = []
  #updated: (uri: string) => void = () => undefined

  /** Answers a form: with as many guests as forms there were. */
  form(message: string): { action: "accept"; content: { guests: number } } {
    this.forms.push(message)
    return { action: "accept", content: { guests: this.forms.length } }
  }

  updated(uri: string): void {
    this.#updated(uri)
  }

  nextUpdate(): Promise<string> {
    return new Promise((resolve) => (this.#updated = resolve))
  }
}

const text = (said: string) => expect.objectContaining({ content: [{ type: "text", text: said }] })

export async function converse(client: Official, asked: Asked, revision: string): Promise<void> {
  const { resources } = await client.listResources({})
  expect(resources).toEqual([
    { uri: "note://one", name: "one", mimeType: "text/plain", ...(revision >= "2025-06-18" ? { title: "One" } : {}) }
  ])
  const { resourceTemplates } = await client.listResourceTemplates({})
  expect(resourceTemplates).toEqual([{ uriTemplate: "person://{department}/{name}", name: "person" }])
  expect((await client.readResource({ uri: "note://one" })).contents).toEqual([
    { uri: "note://one", mimeType: "text/plain", text: "changed 0 times" }
  ])
  const person = "person://Sales/Eve%20B"
  expect((await client.readResource({ uri: person })).contents).toEqual([{ uri: person, blob: btoa("Eve B of Sales") }])
  await expect(client.readResource({ uri: "note://none" })).rejects.toThrow("Resource not found")

  await client.subscribeResource({ uri: "note://one" })
  const update = asked.nextUpdate()
  await client.callTool({ name: "touch" })
  expect(await update).toBe("note://one")
  expect((await client.readResource({ uri: "note://one" })).contents[0].text).toBe("changed 1 times")
  await client.unsubscribeResource({ uri: "note://one" })

  const { prompts } = await client.listPrompts({})
  expect(prompts).toEqual([{ name: "greet", arguments: [{ name: "who", required: true }] }])
  expect((await client.getPrompt({ name: "greet", arguments: { who: "Ada" } })).messages).toEqual([
    { role: "user", content: { type: "text", text: "Greet Ada." } }
  ])
  await expect(client.getPrompt({ name: "greet" })).rejects.toMatchObject({ code: -32602 })

  const suggested = async (ref: object, name: string, value: string, context?: object) =>
    (await client.complete({ ref, argument: { name, value }, ...(context && { context }) })).completion.values
  expect(await suggested({ type: "ref/prompt", name: "greet" }, "who", "A")).toEqual(["Ada", "Alan"])
  const template = { type: "ref/resource", uri: "person://{department}/{name}" }
  expect(await suggested(template, "department", "S")).toEqual(["Sales", "Support"])
  // It has a place in the request since 2025-06-18; both clients send it anyway.
  const given = { arguments: { department: "Sales" } }
  expect(await suggested(template, "name", "", given)).toEqual(["David", "Eve"])

  const booked = await client.callTool({ name: "book" })
  if (revision >= "2025-06-18") {
    expect(booked).toEqual(text("3 guests"))
    expect(asked.forms).toEqual(["first", "second"])
  } else expect(booked).toEqual(text("can not be asked"))

  expect(await client.callTool({ name: "think" })).toEqual(text("small in file:///here"))
  expect(asked.samples).toEqual([[{ role: "user", content: { type: "text", text: "2 + 3?" } }]])
}
