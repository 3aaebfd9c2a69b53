/** Nothing that anybody writes reaches a terminal as more than letters. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { block, json, line } from "../src/clean.js"
import { obeyed } from "./stage.js"

describe("whatever it is given", () => {
  const hostile = fc
    .array(
      fc.constantFrom(
        "\u001b",
        "[",
        "]",
        "0",
        ";",
        "m",
        "\u0007",
        "\u009b",
        "\u009c",
        "\\",
        "\r",
        "\n",
        "\u202e",
        "a",
        "\u200b"
      )
    )
    .map((parts) => parts.join(""))

  it("prints nothing that a terminal obeys", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(line(text) + block(text).replaceAll("\n", "") + json({ [text]: text }, 0)).not.toMatch(obeyed)
      })
    )
  })

  it("writes JSON that says the same", () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(JSON.parse(json([text]))).toEqual([text])
      })
    )
  })
})
