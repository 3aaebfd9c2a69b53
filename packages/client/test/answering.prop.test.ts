/** Whatever a form asks and a handler answers: what fits is sent whole, with defaults, and what does not is not sent. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { FormContent } from "../src/index.js"
import { connect } from "../src/index.js"
import { hand } from "./hand.js"

interface Field {
  readonly schema: object
  readonly fits: FormContent[string]
  readonly other: FormContent[string]
}

const options = ["a", "b", "c"]
const titled = options.map((one) => ({ const: one, title: one.toUpperCase() }))
const several = fc.subarray(options, { minLength: 1 })

/** A field, a value that fits and one that does not, without asking a validator. */
const field: fc.Arbitrary<Field> = fc.oneof(
  fc.boolean().map((fits) => ({ schema: { type: "boolean" }, fits, other: "yes" })),
  fc
    .string({ maxLength: 9 })
    .map((fits) => ({ schema: { type: "string", maxLength: 9 }, fits, other: "x".repeat(10) })),
  fc.integer({ min: -5, max: 5 }).map((fits) => ({ schema: { type: "integer", minimum: -5 }, fits, other: -6 })),
  fc.integer().map((fits) => ({ schema: { type: "integer" }, fits, other: fits + 0.5 })),
  fc.constantFrom(...options).map((fits) => ({ schema: { type: "string", enum: options }, fits, other: "d" })),
  fc.constantFrom(...options).map((fits) => ({ schema: { type: "string", oneOf: titled }, fits, other: "A" })),
  several.map((fits) => ({ schema: { type: "array", items: { type: "string", enum: options } }, fits, other: ["d"] })),
  several.map((fits) => ({ schema: { type: "array", items: { anyOf: titled }, minItems: 1 }, fits, other: [] }))
)

const given = fc.record({
  field,
  required: fc.boolean(),
  byDefault: fc.boolean(),
  answer: fc.constantFrom("fits", "fits", "fits", "nothing", "undefined", "other")
})

const names = fc.uniqueArray(fc.oneof(fc.string(), fc.constantFrom("__proto__", "constructor", "toString")), {
  minLength: 6,
  maxLength: 6
})

it("answers a form with what fits it, and with nothing else", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(given, { maxLength: 6 }), names, async (fields, names) => {
      const all = fields.map((one, i) => [names[i]!, one] as const)
      const properties = Object.fromEntries(
        all.map(([name, { field, byDefault }]) => [
          name,
          { ...field.schema, ...(byDefault && { default: field.fits }) }
        ])
      )
      const required = all.flatMap(([name, one]) => (one.required ? [name] : []))
      const content = Object.fromEntries(
        all.flatMap(([name, { answer, field }]) => {
          if (answer === "nothing") return []
          return [[name, answer === "undefined" ? (undefined as never) : field[answer]]]
        })
      )
      const expected = Object.fromEntries(
        all.flatMap(([name, { answer, byDefault, field }]) =>
          answer === "fits" || byDefault ? [[name, field.fits]] : []
        )
      )
      const wrong = all.some(([name, { answer }]) =>
        answer === "other" ? true : required.includes(name) && !Object.hasOwn(expected, name)
      )
      const server = hand()
      const client = await connect(server.channel, {
        clientInfo: { name: "c", version: "1" },
        revisions,
        answer: { elicit: () => ({ action: "accept", content }) }
      })
      const params = { message: "m", requestedSchema: { type: "object", properties, required } }
      server.send({ jsonrpc: "2.0", id: "q", method: "elicitation/create", params })
      const reply = await server.until(({ id }) => id === "q")
      if (wrong) expect(reply.error).toMatchObject({ code: -32603 })
      else expect(reply.result).toEqual({ action: "accept", content: expected })
      await client.close()
    }),
    { numRuns: 300 }
  )
})
