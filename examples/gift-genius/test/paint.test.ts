import { describe, expect, it } from "vitest"
import { cut, json, screen, wrapped } from "../src/paint.js"

describe("json", () => {
  it("stays on one line while it fits", () => {
    expect(json({ a: 1, b: { c: [true, null] }, d: {} }, 80)).toEqual([
      '{ "a": 1, "b": { "c": [true, null] }, "d": {} }'
    ])
  })

  it("puts one member on a line where it does not, and is still the same JSON", () => {
    const value = { first: "x".repeat(20), second: { third: ["y".repeat(20), "z".repeat(20)] }, last: 1 }
    const lines = json(value, 40)
    expect(lines).toEqual([
      "{",
      `  "first": "${"x".repeat(20)}",`,
      '  "second": {',
      '    "third": [',
      `      "${"y".repeat(20)}",`,
      `      "${"z".repeat(20)}"`,
      "    ]",
      "  },",
      '  "last": 1',
      "}"
    ])
    expect(JSON.parse(lines.join("\n"))).toEqual(value)
  })
})

describe("cut", () => {
  it("says how long the rest was", () => {
    expect(cut("x".repeat(100), 40)).toBe(`"${"x".repeat(18)} ... (102 characters)`)
    expect(cut("x", 40)).toBe('"x"')
  })
})

describe("wrapped", () => {
  it("breaks between words, and gives a long word its own line", () => {
    expect(wrapped("a bb ccc dddddddddd e", 6)).toEqual(["a bb", "ccc", "dddddddddd", "e"])
  })
})

describe("screen", () => {
  const shown = (isTTY: boolean, env: NodeJS.ProcessEnv): string =>
    screen({ isTTY, columns: 80 } as NodeJS.WriteStream, env).style("bold", "x")

  it("has colours on a terminal only, and not where they are not wanted", () => {
    expect(shown(true, {})).toBe("\u001b[1mx\u001b[22m")
    expect(shown(false, {})).toBe("x")
    expect(shown(true, { NO_COLOR: "1" })).toBe("x")
    expect(shown(true, { TERM: "dumb" })).toBe("x")
  })
})
