/** A table can be booked here: tools, a resource and a prompt, as a server of anyone's may have them. */
import { defineServer, failed, form, prompt, resource, tool } from "@parley/server"

const day = { type: "string", enum: ["friday", "saturday", "sunday"] } as const

const free = tool(
  "free",
  {
    description: "How many seats are free on a day",
    input: { type: "object", properties: { day }, required: ["day"] },
    output: { type: "object", properties: { seats: { type: "integer", minimum: 0 } }, required: ["seats"] }
  },
  ({ day }) => ({ seats: seats[day] })
)

const book = tool(
  "book",
  {
    description: "Book a table",
    input: {
      type: "object",
      properties: { day, guests: { type: "integer", minimum: 1, maximum: 12 }, note: { type: "string" } },
      required: ["day"]
    },
    asks: {
      guests: form({
        type: "object",
        properties: { guests: { type: "integer", minimum: 1, maximum: 12 } },
        required: ["guests"]
      })
    }
  },
  async ({ day, guests }, call) => {
    if (guests === undefined && !call.can("guests")) return failed("How many guests? Call again with `guests`.")
    const count = guests ?? (await call.ask("guests", { message: `How many guests on ${day}?` })).guests
    if (count > seats[day]) return failed(`There are only ${seats[day]} seats on ${day}.`)
    return `Booked for ${count} on ${day}.`
  }
)

const menu = resource("menu://today", { name: "menu", mimeType: "text/plain" }, () => "Soup. Bread. Cheese.")

const invite = prompt(
  "invite",
  { description: "Words for an invitation", arguments: { guest: { required: true } } },
  ({ guest }) => `Write an invitation to dinner for ${guest}.`
)

const seats: { readonly [day in "friday" | "saturday" | "sunday"]: number } = { friday: 8, saturday: 2, sunday: 0 }

export const restaurant = defineServer({ name: "restaurant", version: "1.0.0" }, [free, book, menu, invite])
