/** When there are colours, and how wide a page is. */
import { expect, it } from "vitest"
import { coloured, columns } from "../src/paint.js"

it.each([
  [{ isTTY: true }, {}, true],
  [{ isTTY: false }, {}, false],
  [{}, {}, false],
  [{ isTTY: true }, { NO_COLOR: "1" }, false],
  [{ isTTY: true }, { NO_COLOR: "" }, true],
  [{}, { FORCE_COLOR: "1" }, true],
  [{ isTTY: true }, { FORCE_COLOR: "0" }, false],
  [{}, { FORCE_COLOR: "1", NO_COLOR: "1" }, false],
  [{ isTTY: true }, { TERM: "dumb" }, false]
])("a stream %j with %j: %s", (stream, env, colours) => {
  expect(coloured(stream, env)).toBe(colours)
})

it("is as wide as the terminal, within reason", () => {
  expect([
    columns({ columns: 80 }, {}),
    columns({ columns: 300 }, {}),
    columns({ columns: 10 }, {}),
    columns({}, {})
  ]).toEqual([80, 120, 40, 100])
  expect(columns({}, { COLUMNS: "90" })).toBe(90)
})
