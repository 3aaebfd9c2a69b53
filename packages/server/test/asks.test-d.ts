/** What compiles of questions, prompts, templates and live servers. */
import * as Schema from "effect/Schema"
import type { CreateMessageResult, Root } from "@parley/core"
import { describe, expectTypeOf, it } from "vitest"
import type { Call } from "../src/index.js"
import {
  defineServer,
  form,
  live,
  page,
  prompt,
  resource,
  resourceTemplate,
  roots,
  sample,
  structured,
  tool
} from "../src/index.js"

const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
const asks = { guests, pay: page(), model: sample(), roots: roots() }
const info = { name: "typed", version: "1.0.0" }

describe("a question", () => {
  it("is one that was declared, with its own params and answer", () => {
    tool("it", { asks }, async (_, call) => {
      const answer = await call.ask("guests", { message: "?" })
      expectTypeOf(answer.guests).toEqualTypeOf<number>()
      expectTypeOf(call.ask("pay", { message: "", url: "", elicitationId: "" })).resolves.toEqualTypeOf<true>()
      expectTypeOf(call.ask("model", { messages: [], maxTokens: 1 })).resolves.toEqualTypeOf<CreateMessageResult>()
      expectTypeOf(call.ask("roots")).resolves.toEqualTypeOf<ReadonlyArray<Root>>()
      expectTypeOf(call.can).parameter(0).toEqualTypeOf<"guests" | "pay" | "model" | "roots">()
      // @ts-expect-error it was not declared
      void call.ask("other", { message: "?" })
      // @ts-expect-error a form needs a message
      void call.ask("guests")
      // @ts-expect-error a page needs a URL
      void call.ask("pay", { message: "?" })
      // @ts-expect-error there is nothing to say about roots
      void call.ask("roots", { message: "?" })
      // @ts-expect-error there is no such field
      void answer.other
      return "x"
    })
  })

  it("is answered by what an effect Schema decodes to", () => {
    const day = form(Schema.Struct({ n: Schema.Int, kind: Schema.Literals(["a", "b"]) }))
    tool("it", { asks: { day } }, async (_, call) => {
      expectTypeOf(await call.ask("day", { message: "?" })).toEqualTypeOf<{
        readonly n: number
        readonly kind: "a" | "b"
      }>()
      return "x"
    })
  })

  it("may be asked with others, each with its own answer", () => {
    tool("it", { asks }, async (_, call) => {
      const both = await call.askAll({ guests: { message: "?" }, roots: undefined })
      expectTypeOf(both.guests.guests).toEqualTypeOf<number>()
      expectTypeOf(both.roots).toEqualTypeOf<ReadonlyArray<Root>>()
      // @ts-expect-error it was not asked
      void both.pay
      // @ts-expect-error it was not declared
      void call.askAll({ other: { message: "?" } })
      return "x"
    })
  })

  it("can not be asked where none was declared", () => {
    tool("it", {}, (_, call) => {
      expectTypeOf(call).toEqualTypeOf<Call>()
      // @ts-expect-error nothing was declared
      void call.ask("guests", { message: "?" })
      return "x"
    })
  })

  it("is required only when it is asked", () => {
    // @ts-expect-error it is not among what is asked
    tool("it", { asks: { guests }, requires: ["other"] }, () => "x")
    tool("it", { asks: { guests }, requires: ["guests"] }, () => "x")
  })

  it("is asked by prompts and resources as well", () => {
    prompt("p", { asks: { guests } }, async (_, call) => {
      expectTypeOf((await call.ask("guests", { message: "?" })).guests).toEqualTypeOf<number>()
      // @ts-expect-error it was not declared
      void call.ask("other")
      return "x"
    })
    resource("a:b", { name: "a", asks: { roots: roots() } }, async (_, call) => (await call.ask("roots"))[0]!.uri)
    resourceTemplate("a:{b}", { name: "a", asks: { roots: roots() } }, async ({ b }, call) => {
      expectTypeOf(call.uri).toEqualTypeOf<string>()
      return b + (await call.ask("roots"))[0]!.uri
    })
  })
})

describe("what is done once", () => {
  it("has the effect's value", () => {
    tool("it", {}, async (_, call) => {
      expectTypeOf(await call.once("a", () => 1)).toEqualTypeOf<number>()
      expectTypeOf(await call.once("b", () => Promise.resolve("x"))).toEqualTypeOf<string>()
      return "x"
    })
  })
})

describe("a prompt's arguments", () => {
  it("are there when they are required", () => {
    prompt("p", { arguments: { code: { required: true }, tone: {} } }, (args) => {
      expectTypeOf(args.code).toEqualTypeOf<string>()
      expectTypeOf(args.tone).toEqualTypeOf<string | undefined>()
      // @ts-expect-error there is no such argument
      void args.other
      return "x"
    })
    prompt(
      "p",
      { arguments: { a: { complete: (value, { b }) => [value + b] }, b: { required: true } } },
      ({ a, b }) => {
        expectTypeOf(a).toEqualTypeOf<string | undefined>()
        return b
      }
    )
    // @ts-expect-error a number is no prompt
    prompt("p", {}, () => 5)
  })
})

describe("a template's variables", () => {
  it("are those of the template", () => {
    resourceTemplate("a://{b}/{+c}{?page,tags*,short:3}", { name: "a" }, (variables) => {
      expectTypeOf(variables).toEqualTypeOf<{
        readonly b: string
        readonly c: string
        readonly page?: string
        readonly tags?: ReadonlyArray<string>
        readonly short?: string
      }>()
      return "x"
    })
    resourceTemplate("a://{b,c}", { name: "a" }, ({ b, c }) => {
      expectTypeOf(b).toEqualTypeOf<string>()
      expectTypeOf(c).toEqualTypeOf<string | undefined>()
      return "x"
    })
    const template: string = ["a://", "{b}"].join("")
    resourceTemplate(template, { name: "a" }, (variables) => {
      expectTypeOf(variables["b"]).toEqualTypeOf<string | ReadonlyArray<string> | undefined>()
      return "x"
    })
  })
})

describe("a structured result", () => {
  const output = { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] } as const

  it("may have words of its own, around a value that fits", () => {
    tool("it", { output }, () => structured({ sum: 1 }, "one"))
    tool("it", { output: Schema.Struct({ sum: Schema.Finite }) }, async () => structured({ sum: 1 }, []))
    // @ts-expect-error the value does not fit
    tool("it", { output: Schema.Struct({ sum: Schema.Finite }) }, () => structured({ sum: "1" }, "one"))
    // @ts-expect-error there is no output that it could fit
    tool("it", {}, () => structured({ sum: 1 }, "one"))
  })
})

describe("a live server", () => {
  it("is one that promised to tell", () => {
    live(defineServer(info, [], { declare: { prompts: { listChanged: true } } }))
    live(defineServer(info, [], { declare: { resources: { subscribe: true } } }))
    live(defineServer(info, [], { declare: { resources: { subscribe: true } } })).updated("a:b")
    // @ts-expect-error nobody can subscribe
    live(defineServer(info, [], { declare: { tools: { listChanged: true } } })).updated("a:b")
    // @ts-expect-error nothing was promised
    live(defineServer(info, []))
    // @ts-expect-error suggestions do not change
    live(defineServer(info, [], { declare: { completions: true } }))
  })
})
