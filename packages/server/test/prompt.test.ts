/** Prompts: listed and made; and suggestions for what they and templates are given. */
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { defineServer, prompt, resource, resourceTemplate } from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "prompts", version: "1.0.0" }
const block = (text: string) => ({ type: "text", text }) as const
const said = (text: string) => ({ role: "user", content: block(text) })

describe("a prompt", () => {
  it.each([
    ["text", "hi", [said("hi")]],
    ["a block", block("hi"), [said("hi")]],
    ["messages", [{ role: "assistant", content: block("hi") }], [{ role: "assistant", content: block("hi") }]],
    ["a promise", Promise.resolve("hi"), [said("hi")]],
    ["an Effect", Effect.succeed("hi"), [said("hi")]]
  ])("is made of %s", async (_, made, messages) => {
    const { ask } = await talking(defineServer(info, [prompt("p", {}, () => made as never)]))
    expect((await ask("prompts/get", { name: "p" })).result).toEqual({ messages })
  })

  it("may be a whole result", async () => {
    const whole = { description: "d", messages: [said("hi")] } as const
    const { ask } = await talking(defineServer(info, [prompt("p", {}, () => whole as never)]))
    expect((await ask("prompts/get", { name: "p" })).result).toEqual(whole)
  })

  it("is listed with its arguments, and not made without those it requires", async () => {
    const review = prompt(
      "review",
      {
        title: "Review",
        arguments: { code: { required: true, description: "The code" }, tone: { complete: () => ["kind"] } }
      },
      ({ code, tone }) => `${code} ${tone ?? "plain"}`
    )
    const { ask } = await talking(defineServer(info, [review]))
    expect((await ask("prompts/list")).result.prompts).toEqual([
      {
        name: "review",
        title: "Review",
        arguments: [{ name: "code", required: true, description: "The code" }, { name: "tone" }]
      }
    ])
    expect((await ask("prompts/get", { name: "review", arguments: { code: "x" } })).result.messages).toEqual([
      said("x plain")
    ])
    const { error } = await ask("prompts/get", { name: "review", arguments: { tone: "x" } })
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining("arguments.code") })
    expect((await ask("prompts/get", { name: "constructor" })).error.code).toBe(-32602)
  })

  it("loses the kinds of content that an older client does not know", async () => {
    const made = prompt("p", {}, () => ({ type: "audio", data: "AA==", mimeType: "audio/wav" }))
    const { ask } = await talking(defineServer(info, [made]), {}, "2024-11-05")
    expect((await ask("prompts/get", { name: "p" })).result.messages[0].content.type).toBe("text")
  })

  it.each([[5], [null], [[{ role: "user" }]], [{ messages: "x" }]])("never leaves when it is %j", async (wrong) => {
    const { ask } = await talking(defineServer(info, [prompt("p", {}, () => wrong as never)]), {
      report: () => undefined
    })
    expect((await ask("prompts/get", { name: "p" })).error.code).toBe(-32603)
  })
})

describe("suggestions", () => {
  const cities = ["Paris", "Padua", "Prague"]
  const server = defineServer(info, [
    prompt(
      "visit",
      {
        arguments: {
          city: {
            complete: (value, { country }) =>
              (country === "CZ" ? ["Prague"] : cities).filter((one) => one.startsWith(value))
          },
          later: { complete: (value) => Promise.resolve([value]) },
          effect: { complete: (value) => Effect.succeed([value]) },
          many: { complete: () => Array.from({ length: 250 }, (_, i) => String(i)) },
          broken: { complete: () => [5] as never },
          plain: {}
        }
      },
      () => "x"
    ),
    prompt("bare", {}, () => "x"),
    resourceTemplate("city://{name}", { name: "city", complete: { name: (value) => [`${value}!`] } }, () => "x"),
    resource("city://here", { name: "here" }, () => "x")
  ])
  const complete = async (ref: object, name: string, value: string, context?: object) => {
    const { ask } = await talking(server, { report: () => undefined })
    const reply = await ask("completion/complete", { ref, argument: { name, value }, ...(context && { context }) })
    return reply.result?.completion ?? reply.error
  }
  const visit = { type: "ref/prompt", name: "visit" }

  it("are made of what is typed, at once or later", async () => {
    expect(await complete(visit, "city", "Pa")).toEqual({ values: ["Paris", "Padua"], total: 2, hasMore: false })
    expect((await complete(visit, "later", "x")).values).toEqual(["x"])
    expect((await complete(visit, "effect", "x")).values).toEqual(["x"])
    expect((await complete({ type: "ref/resource", uri: "city://{name}" }, "name", "P")).values).toEqual(["P!"])
  })

  it("know the arguments that are chosen already", async () => {
    expect((await complete(visit, "city", "P", { arguments: { country: "CZ" } })).values).toEqual(["Prague"])
  })

  it("are at most a hundred, and say how many there are", async () => {
    const { values, total, hasMore } = await complete(visit, "many", "")
    expect([values.length, total, hasMore]).toEqual([100, 250, true])
  })

  it.each([
    [visit, "plain"],
    [visit, "constructor"],
    [{ type: "ref/prompt", name: "bare" }, "x"],
    [{ type: "ref/resource", uri: "city://{name}" }, "toString"],
    [{ type: "ref/resource", uri: "city://here" }, "name"]
  ])("are none where nothing suggests: %j %s", async (ref, name) => {
    expect(await complete(ref, name, "")).toEqual({ values: [], total: 0, hasMore: false })
  })

  it.each([[{ type: "ref/prompt", name: "other" }], [{ type: "ref/resource", uri: "other://" }]])(
    "are refused for what is not there: %j",
    async (ref) => {
      expect((await complete(ref, "x", "")).code).toBe(-32602)
    }
  )

  it("never leave when they are no texts", async () => {
    expect((await complete(visit, "broken", "")).code).toBe(-32603)
  })

  it("are announced only where something suggests, and not before 2025-03-26", async () => {
    expect(server.definition.capabilities).toHaveProperty("completions")
    expect(defineServer(info, [prompt("p", { arguments: { a: {} } }, () => "x")]).definition.capabilities).toEqual({
      prompts: {}
    })
    expect((await talking(server, {}, "2024-11-05")).heard[0].result.capabilities).not.toHaveProperty("completions")
  })
})
