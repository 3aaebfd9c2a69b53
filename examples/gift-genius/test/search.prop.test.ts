import fc from "fast-check"
import { expect, it } from "vitest"
import { catalogue } from "../src/catalogue.js"
import type { Profile } from "../src/search.js"
import { suggest } from "../src/search.js"

const said = fc.oneof(
  fc.constantFrom("sister", "mum", "grandpa", "best friend", "boss", "niece", "husband", "dentist"),
  fc.string({ minLength: 1, maxLength: 80 })
)

const profiles: fc.Arbitrary<Profile> = fc.record(
  {
    age: fc.integer({ min: 0, max: 120 }),
    relationship: said,
    budget: fc.double({ min: 0, max: 200, noNaN: true })
  },
  { requiredKeys: ["age", "relationship"] }
)

const always = (holds: (profile: Profile) => void): void => fc.assert(fc.property(profiles, holds))

const byId = new Map(catalogue.map((gift) => [gift.id, gift]))

it("suggests only what fits: age, relationship and budget", () =>
  always((profile) => {
    const { recipient, gifts } = suggest(catalogue, profile)
    for (const { id, price } of gifts) {
      const { ages, relationships } = byId.get(id)!
      expect(ages[0] <= profile.age && profile.age <= ages[1]).toBe(true)
      expect(relationships.includes("anyone") || relationships.includes(recipient)).toBe(true)
      expect(price <= (profile.budget ?? Infinity)).toBe(true)
    }
  }))

it("suggests as many as there are, up to five, and each once", () =>
  always((profile) => {
    const { gifts, matches } = suggest(catalogue, profile)
    expect(gifts.length).toBe(Math.min(5, matches))
    expect(new Set(gifts.map(({ id }) => id)).size).toBe(gifts.length)
  }))

it("says why when it finds nothing", () =>
  always((profile) => {
    const { gifts, note } = suggest(catalogue, profile)
    if (gifts.length === 0) expect(note).toMatch(/\.$/)
  }))

it("does not depend on the order of the catalogue", () =>
  always((profile) => {
    expect(suggest(catalogue.toReversed(), profile)).toEqual(suggest(catalogue, profile))
  }))

it("finds no less for more money", () =>
  always((profile) => {
    const richer = { ...profile, budget: (profile.budget ?? 0) * 2 + 1 }
    const { matches } = suggest(catalogue, { ...profile, budget: profile.budget ?? 0 })
    expect(suggest(catalogue, richer).matches).toBeGreaterThanOrEqual(matches)
  }))
