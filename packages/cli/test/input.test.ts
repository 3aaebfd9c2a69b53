/** Arguments, as they stand on the command line. */
import { Readable } from "node:stream"
import { describe, expect, it } from "vitest"
import { byNames, inputOf, texts } from "../src/input.js"

const nothing = Readable.from([])

it("reads pairs by what the schema says of them", () => {
  const schema = { properties: { n: { type: "number" }, s: { type: "string" }, l: { type: "array" }, b: {} } }
  expect(
    byNames(
      [
        ["n", "1"],
        ["s", "1"],
        ["l", "[1,2]"],
        ["b", "true"],
        ["x", "plain text"]
      ],
      schema
    )
  ).toEqual({
    n: 1,
    s: "1",
    l: [1, 2],
    b: true,
    x: "plain text"
  })
})

it("is an empty object where there is none", async () => {
  expect(await inputOf([], nothing)).toEqual({ _tag: "Whole", value: {} })
})

describe("says what is wrong:", () => {
  it.each([
    [["{"], "not JSON"],
    [["[1]"], "arguments are a JSON object"],
    [["{}", "more"], "nothing more is expected"],
    [["@/no/such/file"], "can not be read"],
    [["word"], "neither JSON nor name=value"],
    [["a=1", "=2"], "neither JSON nor name=value"],
    [["a=1", "a=2"], "The argument a is given twice"],
    [[`{"a":${"[".repeat(5_000)}${"]".repeat(5_000)}}`], "nested deeper than 500 levels"]
  ])("%j", async (words, message) => {
    await expect(inputOf(words, nothing)).rejects.toThrow(message)
  })

  it("an argument of a prompt that is no text", () => {
    expect(() => texts({ _tag: "Whole", value: { n: 1 } })).toThrow("The argument n of a prompt must be a text")
  })
})
