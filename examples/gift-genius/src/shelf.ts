/** What is on offer: gifts that are found by id and by category, and to which more can be added. */
import type { Gift } from "./catalogue.js"

export interface Shelf {
  readonly gifts: () => ReadonlyArray<Gift>
  readonly find: (id: string) => Gift | undefined
  /** In alphabetical order. */
  readonly categories: () => ReadonlyArray<Category>
  /** Puts it on the shelf, or says why not. */
  readonly add: (gift: Gift) => "taken" | "full" | undefined
}

export interface Category {
  readonly name: string
  readonly gifts: ReadonlyArray<Gift>
}

export function shelf(initial: ReadonlyArray<Gift>, room = 1_000): Shelf {
  const byId = new Map(initial.map((gift) => [gift.id, gift]))
  return {
    gifts: () => [...byId.values()],
    find: (id) => byId.get(id),
    categories: () => inCategories(byId.values()),
    add: (gift) => {
      if (byId.has(gift.id)) return "taken"
      if (byId.size >= room) return "full"
      byId.set(gift.id, gift)
      return undefined
    }
  }
}

function inCategories(gifts: Iterable<Gift>): ReadonlyArray<Category> {
  const found = new Map<string, Array<Gift>>()
  for (const gift of gifts) found.set(gift.category, [...(found.get(gift.category) ?? []), gift])
  return [...found.keys()].toSorted().map((name) => ({ name, gifts: found.get(name)! }))
}
