/** What a person types into a form's field. */
import type { FormField } from "@parley/core"
import { describe, expect, it } from "vitest"
import { shown, understood, wanted } from "../src/fields.js"

const colours: FormField = {
  type: "string",
  oneOf: [
    { const: "r", title: "Red" },
    { const: "2", title: "Two" }
  ]
}
const toppings: FormField = {
  type: "array",
  items: { type: "string", enum: ["ham", "egg", "basil"] },
  minItems: 1,
  maxItems: 2
}

describe("a typed line", () => {
  it.each<[FormField, string, unknown]>([
    [{ type: "boolean" }, "Yes", true],
    [{ type: "boolean" }, "n", false],
    [{ type: "number" }, "1.5", 1.5],
    [{ type: "integer", minimum: 1 }, "3", 3],
    [{ type: "string" }, " as it is ", " as it is "],
    [{ type: "string", format: "email" }, "a@b.example", "a@b.example"],
    [{ type: "string", format: "date-time" }, "2026-01-31T12:00:00Z", "2026-01-31T12:00:00Z"],
    [{ type: "string", enum: ["a", "b"] }, "b", "b"],
    [{ type: "string", enum: ["a", "b"], enumNames: ["Ah", "Be"] }, "ah", "a"],
    [colours, "1", "r"],
    [colours, "2", "2"],
    [colours, "red", "r"],
    [toppings, "egg, 1", ["egg", "ham"]],
    [toppings, "egg,egg", ["egg"]]
  ])("for %j, %j is understood", (field, text, value) => {
    expect(understood(field, text)).toEqual({ value })
  })

  it.each<[FormField, string, string]>([
    [{ type: "boolean" }, "maybe", "type yes or no"],
    [{ type: "number" }, "1e999", "type a number"],
    [{ type: "integer" }, "1.5", "type a whole number"],
    [{ type: "integer", minimum: 1, maximum: 3 }, "4", "it must be from 1 to 3"],
    [{ type: "string", minLength: 2 }, "a", "it must have at least 2 characters"],
    [{ type: "string", format: "email" }, "nobody", "type an e-mail address"],
    [{ type: "string", format: "date" }, "2026-13-01", "type a date, such as 2026-01-31"],
    [{ type: "string", format: "uri" }, "no", "type a URI, such as https://example.com/"],
    [{ type: "string", enum: ["a", "b"] }, "3", "type its number or its name"],
    [toppings, "egg, tar", "tar is none of them"],
    [toppings, "1,2,3", "choose from 1 to 2 of them"]
  ])("for %j, %j is not", (field, text, wrong) => {
    expect(understood(field, text)).toEqual({ wrong })
  })
})

it("says what is wanted", () => {
  expect(wanted({ type: "string", maxLength: 5 })).toBe("text, at most 5 characters")
  expect(wanted(toppings)).toBe("any of these, with commas between, from 1 to 2 of them")
  expect(wanted(colours)).toBe("one of these")
})

it("shows choices by their titles", () => {
  expect(shown(colours, "r")).toBe("Red")
  expect(shown(toppings, ["ham", "egg"])).toBe("ham, egg")
  expect(shown({ type: "boolean" }, false)).toBe("no")
})
