/** Standard Schemas judge arguments, at once or later, and may fail at it. */
import type { JsonSchema } from "@parley/json-schema"
import { describe, expect, it, vi } from "vitest"
import { defineServer, tool } from "../src/index.js"
import { talking } from "./talk.js"

const info = { name: "standard", version: "1.0.0" }
const isError = (said: string) => ({ content: [{ type: "text", text: said }], isError: true })

describe("a schema of the Standard", () => {
  it("hands on what it makes of the arguments, at once or later", async () => {
    const now = standard((value) => ({ value: { seen: value } }))
    const later = standard((value) => Promise.resolve({ value: { seen: value } }))
    const say = (args: unknown) => JSON.stringify(args)
    const { call } = await talking(
      defineServer(info, [tool("now", { input: now }, say), tool("later", { input: later }, say)])
    )
    for (const name of ["now", "later"])
      expect(await call(name, { a: 1 })).toEqual({ content: [{ type: "text", text: '{"seen":{"a":1}}' }] })
  })

  it("refuses by its issues, with their paths", async () => {
    const refuses = standard(() => ({ issues: [{ message: "must be even", path: ["a", 0] }] }))
    const { call } = await talking(defineServer(info, [tool("it", { input: refuses }, () => "ran")]))
    expect(await call("it", { a: [1] })).toEqual(isError("Invalid arguments for tool it: a[0]: must be even"))
  })

  it.each([
    [
      "throws",
      () => {
        throw new Error("secret")
      }
    ],
    ["rejects", () => Promise.reject(new Error("secret"))]
  ])("is the server's failure when it %s", async (_, validate) => {
    const handler = vi.fn<() => string>(() => "ran")
    const { call, crashes } = await talking(defineServer(info, [tool("it", { input: standard(validate) }, handler)]))
    expect(await call("it")).toEqual(isError("The tool it failed."))
    expect(crashes).toEqual([["it", new Error("secret")]])
    expect(handler).not.toHaveBeenCalled()
  })

  it("does not start a call that was withdrawn while it judged", async () => {
    let judge!: (result: { value: unknown }) => void
    let asked!: () => void
    const judging = new Promise<void>((resolve) => (asked = resolve))
    const handler = vi.fn<() => string>(() => "ran")
    const slow = standard(() => {
      asked()
      return new Promise((resolve) => (judge = resolve))
    })
    const { send, tell, ask, heard } = await talking(defineServer(info, [tool("it", { input: slow }, handler)]))
    send({ jsonrpc: "2.0", id: "s", method: "tools/call", params: { name: "it" } })
    await judging
    tell("notifications/cancelled", { requestId: "s" })
    await ask("ping")
    judge({ value: {} })
    await ask("ping")
    expect(handler).not.toHaveBeenCalled()
    expect(heard.some(({ id }) => id === "s")).toBe(false)
  })
})

const jsonSchema = (): JsonSchema => ({ type: "object" })

type Judged = { value: unknown } | { issues: ReadonlyArray<{ message: string; path?: ReadonlyArray<PropertyKey> }> }

const standard = (validate: (value: unknown) => Judged | Promise<Judged>) => ({
  "~standard": { version: 1, vendor: "test", validate, jsonSchema: { input: jsonSchema, output: jsonSchema } } as const
})
