/** What compiles of a declaration, and where the compiler points when something does not. */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { describe, expectTypeOf, it } from "vitest"
import type { Call } from "../src/index.js"
import { defineServer, failed, live, structured, tool } from "../src/index.js"

const asConst = {
  type: "object",
  properties: {
    a: { type: "number" },
    b: { type: "string" },
    kind: { enum: ["x", "y"] },
    list: { type: "array", items: { type: "string" } }
  },
  required: ["a", "kind"]
} as const

describe("a tool's arguments", () => {
  it("are what an effect Schema decodes to", () => {
    const input = Schema.Struct({
      n: Schema.FiniteFromString,
      at: Schema.Date,
      maybe: Schema.optionalKey(Schema.String)
    })
    tool("it", { input }, (args, call) => {
      expectTypeOf(args).toEqualTypeOf<{ readonly n: number; readonly at: Date; readonly maybe?: string }>()
      expectTypeOf(call).toEqualTypeOf<Call>()
      return "x"
    })
  })

  it("are what is said meanwhile is made of", () => {
    const input = Schema.Struct({ n: Schema.FiniteFromString })
    const meanwhile = ({ n }: { readonly n: number }) => n.toFixed()
    defineServer({ name: "s", version: "1" }, [tool("it", { input, task: "optional", meanwhile }, ({ n }) => `${n}`)])
    tool(
      "it",
      { input, task: "optional", meanwhile: (args) => (expectTypeOf(args.n).toEqualTypeOf<number>(), "") },
      () => "x"
    )
    // @ts-expect-error it is a text
    tool("it", { input, task: "optional", meanwhile: ({ n }) => n }, () => "x")
  })

  it("are what a JSON Schema as const says, one step deep", () => {
    tool("it", { input: asConst }, (args) => {
      expectTypeOf(args.a).toEqualTypeOf<number>()
      expectTypeOf(args.b).toEqualTypeOf<string | undefined>()
      expectTypeOf(args.kind).toEqualTypeOf<"x" | "y">()
      // @ts-expect-error there is no such argument
      void args.c
      return "x"
    })
  })

  it("are the named properties also without as const, with no surprise about what is required", () => {
    tool("it", { input: { type: "object", properties: { a: { type: "number" } }, required: ["a"] } }, (args) => {
      // @ts-expect-error there is no such argument
      void args.c
      return String(args.a)
    })
  })

  it("are an object of anything where nothing is known of them", () => {
    const input: { readonly [key: string]: unknown } = { type: "object" }
    tool("it", { input }, (args) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- what is asserted
      expectTypeOf(args).toEqualTypeOf<{ readonly [key: string]: any }>()
      return "x"
    })
    tool("it", {}, (args) => {
      // oxlint-disable-next-line typescript/no-explicit-any -- what is asserted
      expectTypeOf(args).toEqualTypeOf<{ readonly [key: string]: any }>()
      return "x"
    })
  })

  it("are not used for what they are not", () => {
    tool("it", { input: Schema.Struct({ n: Schema.Finite }) }, ({ n }) => {
      // @ts-expect-error a number has no such method
      return n.toUpperCase()
    })
    // @ts-expect-error there is no such argument
    tool("it", { input: Schema.Struct({ n: Schema.Finite }) }, ({ m }) => String(m))
  })
})

describe("what a handler returns", () => {
  it("is text, blocks, a whole result, a failure or nothing, now, later or as an Effect", () => {
    tool("it", {}, () => "x")
    tool("it", {}, () => {})
    tool("it", {}, () => ({ type: "text", text: "x" }))
    tool("it", {}, () => [{ type: "text", text: "x" }])
    tool("it", { input: asConst }, ({ kind }) => ({ type: "text", text: kind }))
    tool("it", {}, async () => ({ type: "text", text: "x" }))
    tool("it", {}, () => ({ content: [], isError: true }))
    tool("it", {}, () => failed("x"))
    tool("it", {}, async () => "x")
    tool("it", {}, () => Effect.succeed("x"))
    tool("it", {}, () => Effect.fail(new Error("x")))
    tool("it", {}, (_, { signal }) => (signal.aborted ? failed("late") : "x"))
  })

  it("is reported on the value when it is wrong", () => {
    // @ts-expect-error a number is no result
    tool("it", {}, () => 7)
    // @ts-expect-error nor is a promise of one
    tool("it", {}, async () => 7)
    // @ts-expect-error nor an Effect of one
    tool("it", {}, () => Effect.succeed(7))
    // @ts-expect-error a text block has text
    tool("it", {}, () => ({ type: "text" }))
    // The error stands on the line of the value, not of the call.
    tool("it", { output: Schema.Struct({ sum: Schema.Finite }) }, () => ({
      // @ts-expect-error a string is no number
      sum: "5"
    }))
    // @ts-expect-error text is not what the output says
    tool("it", { output: Schema.Struct({ sum: Schema.Finite }) }, () => "5")
  })

  it("is the schema's own type where there is an output", () => {
    const output = Schema.Struct({ sum: Schema.Finite })
    tool("it", { output }, () => ({ sum: 5 }))
    tool("it", { output }, () => Promise.resolve({ sum: 5 }))
    tool("it", { output }, () => Effect.succeed({ sum: 5 }))
    tool("it", { output }, () => failed("x"))
    tool("it", { output: Schema.Struct({ at: Schema.Date }) }, () => ({ at: new Date(0) }))
    // @ts-expect-error the encoded side is not what a handler returns
    tool("it", { output: Schema.Struct({ at: Schema.Date }) }, () => ({ at: "1970-01-01T00:00:00Z" }))
    tool("it", { output: asConst }, () => ({ a: 1, kind: "x" as const }))
    // @ts-expect-error kind is missing
    tool("it", { output: asConst }, () => ({ a: 1 }))
  })

  it("may be any JSON value that the output describes", () => {
    tool("it", { output: Schema.Array(Schema.Finite) }, () => [1])
    tool("it", { output: Schema.NullOr(Schema.String) }, async () => null)
    tool("it", { output: { type: "array" } as const }, () => [1])
    tool("it", { output: { type: "integer" } as const }, () => Effect.succeed(structured(3, "three")))
    tool("it", { output: { anyOf: [{ type: "string" }, { type: "null" }] } as const }, () => null)
    // @ts-expect-error text is no array
    tool("it", { output: { type: "array" } as const }, () => "1")
    // @ts-expect-error nor beside words of its own
    tool("it", { output: { type: "integer" } as const }, () => structured("3", "three"))
    // @ts-expect-error text is no number
    tool("it", { output: Schema.Array(Schema.Finite) }, () => ["1"])
  })
})

describe("a declaration", () => {
  it("keeps the names of its tools", () => {
    const one = tool("one", {}, () => "x")
    const two = tool("two", {}, () => "x")
    expectTypeOf(one.name).toEqualTypeOf<"one">()
    const server = defineServer({ name: "x", version: "1" }, [one, two])
    expectTypeOf(server.items[0]!.name).toEqualTypeOf<"one" | "two">()
  })

  it("takes no schema that needs services, nor an option that does not exist", () => {
    // @ts-expect-error a schema is an object
    tool("it", { input: "text" }, () => "x")
    // @ts-expect-error the option is called input
    tool("it", { inputSchema: { type: "object" } }, () => "x")
    // @ts-expect-error a version is needed
    defineServer({ name: "x" }, [])
    // @ts-expect-error there is no such policy
    defineServer({ name: "x", version: "1" }, [], { unsupported: "ignore" })
    // @ts-expect-error nothing of the kind can be declared
    defineServer({ name: "x", version: "1" }, [], { declare: { tool: {} } })
  })

  it("is live only with the promise to tell", () => {
    const info = { name: "x", version: "1" }
    live(defineServer(info, [], { declare: { tools: { listChanged: true } } }))
    // @ts-expect-error nothing was promised
    live(defineServer(info, []))
    // @ts-expect-error tools were declared, and no changes
    live(defineServer(info, [], { declare: { tools: {} } }))
    // @ts-expect-error it was said that changes will not be told
    live(defineServer(info, [], { declare: { tools: { listChanged: false } } }))
  })
})
