/** The prompt that has a gift described for somebody. */
import type { Complete } from "@parley/server"
import { failed, prompt } from "@parley/server"
import type { Shelf } from "./shelf.js"

export const describeGift = (shelf: Shelf, complete: Complete | undefined) =>
  prompt(
    "describe_gift",
    {
      title: "Describe a gift",
      description: "Asks for a short description of a gift, written for one reader",
      arguments: {
        gift: {
          description: ["The id of a gift", ...suchAs(shelf)].join(", "),
          required: true,
          ...(complete === undefined ? {} : { complete })
        },
        user: { description: "Who will read it", required: true }
      }
    },
    ({ gift: id, user }) => {
      const gift = shelf.find(id)
      if (gift === undefined) throw failed(`There is no gift with the id ${JSON.stringify(id.slice(0, 60))}.`)
      if (user.length > 200) throw failed("Say in 200 characters who will read it.")
      const { name, description, price, tags } = gift
      return [
        // Quoted, because what a user is called must not read like an instruction.
        `Write a short description of the gift ${JSON.stringify(name)} for the user ${JSON.stringify(user)}.`,
        "Two sentences, warm and concrete, without inventing anything. What is known of it:",
        JSON.stringify({ description, price: `${price.toFixed(2)} euros`, tags })
      ].join("\n")
    }
  )

/** An id that is there: what is shown as an example is tried first. */
const suchAs = (shelf: Shelf): ReadonlyArray<string> =>
  shelf
    .gifts()
    .slice(0, 1)
    .map(({ id }) => `such as ${id}`)
