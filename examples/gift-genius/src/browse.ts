/** The catalogue as resources: one for each category, and a template for each single gift. */
import type { Complete, Resource, Template } from "@parley/server"
import { resource, resourceTemplate } from "@parley/server"
import type { Category, Shelf } from "./shelf.js"

export const categories = (shelf: Shelf): ReadonlyArray<Resource> => shelf.categories().map(category)

/** What is listed of a category says how many gifts it holds: when one is added, the list has changed. */
function category({ name, gifts }: Category): Resource {
  const prices = gifts.map(({ price }) => price)
  const count = gifts.length === 1 ? "1 gift" : `${gifts.length} gifts`
  return resource(
    `category://${encodeURIComponent(name)}`,
    {
      name,
      title: `Gifts: ${name}`,
      description: `${count}, from ${Math.min(...prices).toFixed(2)} to ${Math.max(...prices).toFixed(2)} euros`,
      mimeType: "application/json"
    },
    () => JSON.stringify(gifts.map(({ id, name, price }) => ({ uri: `gift://${id}`, name, price })))
  )
}

export const gift = (shelf: Shelf, complete: Complete | undefined): Template =>
  resourceTemplate(
    "gift://{id}",
    {
      name: "gift",
      title: "One gift",
      description: "All there is to know about a gift",
      mimeType: "application/json",
      ...(complete === undefined ? {} : { complete: { id: complete } })
    },
    ({ id }) => {
      const found = shelf.find(id)
      return found === undefined ? undefined : JSON.stringify(found)
    }
  )

/** Ids that begin with what was typed, then those that have it anywhere in the id or the name. */
export const completeId =
  (shelf: Shelf): Complete =>
  (typed) => {
    const wanted = typed.toLowerCase()
    const gifts = shelf.gifts().toSorted((a, b) => (a.id < b.id ? -1 : 1))
    const first = gifts.filter(({ id }) => id.startsWith(wanted))
    const then = gifts.filter(
      ({ id, name }) => !id.startsWith(wanted) && `${id} ${name}`.toLowerCase().includes(wanted)
    )
    return [...first, ...then].map(({ id }) => id)
  }
