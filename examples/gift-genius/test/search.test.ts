import { describe, expect, it } from "vitest"
import { catalogue } from "../src/catalogue.js"
import type { Gift } from "../src/catalogue.js"
import { suggest } from "../src/search.js"

const gift = (id: string, more: Partial<Gift> = {}): Gift => ({
  id,
  name: id,
  description: `The gift ${id}`,
  price: 20,
  category: id,
  ages: [10, 90],
  relationships: ["anyone"],
  tags: ["tag"],
  ...more
})

const ids = (gifts: ReadonlyArray<Gift>, profile: Parameters<typeof suggest>[1]): ReadonlyArray<string> =>
  suggest(gifts, profile).gifts.map(({ id }) => id)

describe("suggest", () => {
  it("finds gifts for a sister of 25 within 50 euros", () => {
    const { recipient, gifts, matches, note } = suggest(catalogue, { age: 25, relationship: "sister", budget: 50 })
    expect(recipient).toBe("sibling")
    expect(gifts).toHaveLength(5)
    expect(matches).toBeGreaterThan(50)
    expect(note).toBeUndefined()
  })

  it("leaves out who is too young, too old, or somebody else", () => {
    const gifts = [
      gift("young", { ages: [0, 24] }),
      gift("old", { ages: [26, 99] }),
      gift("other", { relationships: ["colleague"] }),
      gift("right", { ages: [25, 25], relationships: ["sibling"] })
    ]
    expect(ids(gifts, { age: 25, relationship: "brother" })).toEqual(["right"])
  })

  it("prefers what is meant for the recipient to what suits anyone", () => {
    const gifts = [gift("a"), gift("z", { relationships: ["sibling", "friend"] })]
    expect(ids(gifts, { age: 30, relationship: "sister" })).toEqual(["z", "a"])
  })

  it("spends a budget rather than a tenth of it, and all of it no sooner than most of it", () => {
    const gifts = [gift("c", { price: 5 }), gift("b", { price: 50 }), gift("a", { price: 41 })]
    expect(ids(gifts, { age: 30, relationship: "sister", budget: 50 })).toEqual(["a", "b", "c"])
  })

  it("offers several categories before more of one", () => {
    const book = { category: "books", relationships: ["friend"] } as const
    const gifts = [gift("b1", book), gift("b2", book), gift("b3", book), gift("t", { relationships: ["friend"] })]
    expect(ids(gifts, { age: 50, relationship: "friend" })).toEqual(["b1", "t", "b2", "b3"])
  })

  it("goes by id where two gifts are equally good", () => {
    const gifts = [gift("b"), gift("c"), gift("a")]
    expect(ids(gifts, { age: 30, relationship: "aunt" })).toEqual(["a", "b", "c"])
    expect(ids(gifts.toReversed(), { age: 30, relationship: "aunt" })).toEqual(["a", "b", "c"])
  })

  it("searches what suits anyone when it does not know the relationship, and says so", () => {
    const gifts = [gift("any"), gift("friend", { relationships: ["friend"] })]
    expect(suggest(gifts, { age: 30, relationship: "dentist" })).toEqual({
      recipient: "anyone",
      gifts: [
        {
          id: "any",
          name: "any",
          description: "The gift any",
          price: 20,
          category: "any",
          why: "suits anyone from 10 to 90; tag"
        }
      ],
      matches: 1,
      note: 'The relationship "dentist" is not one we know, so only gifts that suit anyone were searched.'
    })
  })

  it("names the cheapest gift that suits when the budget is too small", () => {
    const gifts = [gift("a", { price: 12.5 }), gift("b")]
    expect(suggest(gifts, { age: 30, relationship: "friend", budget: 10 })).toEqual({
      recipient: "friend",
      gifts: [],
      matches: 0,
      note: "Nothing that suits costs 10.00 euros or less; the cheapest that does costs 12.50 euros."
    })
  })

  it("says that it has nothing for an age", () => {
    expect(suggest(catalogue, { age: 120, relationship: "friend" })).toMatchObject({
      gifts: [],
      note: "The catalogue has nothing for the age of 120."
    })
  })

  it("has something without a price for those who can not spend anything", () => {
    expect(ids(catalogue, { age: 40, relationship: "sister", budget: 0 })).toContain("a-walk-planned-by-you")
  })

  it("says how much of the budget is left", () => {
    const [found] = suggest([gift("a")], { age: 30, relationship: "friend", budget: 30 }).gifts
    expect(found?.why).toBe("suits anyone from 10 to 90; tag; leaves 10.00 euros of the budget")
  })
})
