import { expect, it } from "vitest"
import { catalogue } from "../src/catalogue.js"

it("holds some two hundred gifts, each once", () => {
  expect(catalogue.length).toBeGreaterThanOrEqual(200)
  expect(new Set(catalogue.map(({ id }) => id)).size).toBe(catalogue.length)
  expect(new Set(catalogue.map(({ name }) => name)).size).toBe(catalogue.length)
})

it("has ages that begin before they end, and prices in whole cents", () => {
  for (const { id, ages, price } of catalogue) {
    expect([id, ages[0] <= ages[1]]).toEqual([id, true])
    expect([id, Number(price.toFixed(2))]).toEqual([id, price])
  }
})

it("says of no gift that it suits anyone and somebody beside", () => {
  const mixed = catalogue.filter(({ relationships }) => relationships.length > 1 && relationships.includes("anyone"))
  expect(mixed).toEqual([])
})
