import { expect, it } from "vitest"
import { kindOf, kinds } from "../src/relationship.js"

it("knows its own kinds", () => {
  expect(kinds.map(kindOf)).toEqual(kinds)
})

it.each([
  ["sister", "sibling"],
  ["Brother", "sibling"],
  ["my little sister", "sibling"],
  ["half-brother", "sibling"],
  ["sister-in-law", "sibling"],
  ["mum", "parent"],
  ["  my   MOTHER ", "parent"],
  ["father in law", "parent"],
  ["grandma", "grandparent"],
  ["step-daughter", "child"],
  ["niece", "relative"],
  ["best friend", "friend"],
  ["girlfriend", "partner"],
  ["fiancée", "partner"],
  ["co-worker", "colleague"],
  ["business partner", "colleague"],
  ["piano teacher", "teacher"],
  ["next-door neighbor", "neighbour"]
])("understands %s as a %s", (said, kind) => {
  expect(kindOf(said)).toBe(kind)
})

it.each(["", " ", "dentist", "sister's boyfriend", "the wife of my boss", "ex-girlfriend", "constructor"])(
  "does not guess what %j is",
  (said) => {
    expect(kindOf(said)).toBeUndefined()
  }
)
