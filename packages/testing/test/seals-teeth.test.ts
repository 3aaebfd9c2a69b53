/** Servers that mistake what a request remembers: the right invariant finds every one of them. */
import type { JsonObject } from "@parley/core"
import type { Input, Output } from "@parley/core/server"
import { describe, expect, it } from "vitest"
import { own } from "../src/envelope.js"
import type { Broken } from "./broken-servers.js"
import { found, without, results } from "./broken-servers.js"

describe("10: a server that seals", () => {
  const bound = (change: (bound: string) => string): Broken => ({
    puts: (outputs) =>
      outputs.map((one) => (one._tag === "Seal" || one._tag === "Unseal" ? { ...one, bound: change(one.bound) } : one))
  })
  it.each<[string, RegExp, Broken]>([
    ["for anybody and anything", /one seal is good for/, bound(() => "")],
    ["for every user", /one seal is good for/, bound((text) => text.replace(/^\["(ann|bob)"/, "[null"))],
    [
      "whatever is asked for",
      /one seal is good for/,
      bound((text) => JSON.stringify((JSON.parse(text) as []).slice(0, 3)))
    ],
    [
      "otherwise than it opens",
      /is sealed in two ways/,
      {
        puts: (outputs) => outputs.map((one) => (one._tag === "Unseal" ? { ...one, bound: `${one.bound} ` } : one))
      }
    ],
    [
      "and opens what did not come",
      /is not what came/,
      {
        puts: (outputs) => outputs.map((one) => (one._tag === "Unseal" ? { ...one, token: "" } : one))
      }
    ],
    [
      "and runs before it is opened",
      /that nobody has opened/,
      {
        takes: (input) => {
          const params = own(own(input, "json"), "params")
          if (input._tag !== "Received" || own(params, "requestState") === undefined) return input
          return {
            ...input,
            json: { ...(input.json as object), params: without(params as JsonObject, "requestState") }
          }
        }
      }
    ],
    [
      "and says something else",
      /which nobody has sealed/,
      {
        puts: results((result) => ("requestState" in result ? { ...result, requestState: "mine" } : result))
      }
    ],
    [
      "and forgets it where its state is moved",
      /a seal that nobody makes/,
      {
        takes: (input) => (input._tag === "Resumed" ? undefined : input)
      }
    ],
    [
      "and hands on what was not answered",
      /which is not what was answered/,
      {
        puts: (outputs) =>
          outputs.map((one) =>
            one._tag === "Invoke" && one.answers !== undefined
              ? { ...one, answers: { ...one.answers, other: { _tag: "TimedOut" } } }
              : one
          )
      }
    ],
    [
      "and takes what came without a state for more than was answered",
      /which is not what was answered/,
      {
        puts: (outputs, input) =>
          outputs.map((one) =>
            one._tag === "Invoke" && input._tag === "NeedsInput"
              ? { ...one, answers: { ...one.answers, other: { _tag: "TimedOut" } } }
              : one
          )
      }
    ],
    [
      "what nobody waits for",
      /does not wait for it/,
      {
        puts: (outputs) =>
          outputs.flatMap((one): ReadonlyArray<Output> => (one._tag === "Unseal" ? [one, { ...one }] : [one]))
      }
    ]
  ])("%s is found", (_, why, broken) => expect(found(10, broken)).toMatch(why))
})

describe("3: a server that answers", () => {
  it("nothing once the questions are sealed, or a state did not open, is found", () => {
    expect(found(3, { takes: (input) => (input._tag === "Sealed" ? undefined : input) })).toMatch("was never answered")
    const ignores = (input: Input) => (input._tag === "Unsealed" && input.payload === undefined ? undefined : input)
    expect(found(3, { takes: ignores })).toMatch("was never answered")
  })
})
