/** The tool that suggests gifts for a recipient. */
import { tool } from "@parley/server"
import * as Schema from "effect/Schema"
import { kinds } from "./relationship.js"
import { suggest } from "./search.js"
import type { Shelf } from "./shelf.js"

export const suggestGifts = (shelf: Shelf) =>
  tool(
    "suggest_gifts",
    {
      title: "Suggest gifts",
      description:
        "Gift ideas for a recipient's profile: age, relationship to the giver and, if known, a budget. " +
        "Searches a catalogue and returns the best few. When nothing fits, the list is empty and `note` says why.",
      input: Profile,
      output: Found,
      annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: false }
    },
    (profile, call) => {
      const found = suggest(shelf.gifts(), profile)
      call.log("debug", { recipient: found.recipient, matches: found.matches }, "search")
      return found
    }
  )

const Profile = Schema.Struct({
  age: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 })).annotate({
    description: "The recipient's age in years"
  }),
  relationship: Schema.NonEmptyString.check(Schema.isMaxLength(80)).annotate({
    description: "What the recipient is to the giver, such as sister, father, friend or colleague"
  }),
  budget: Schema.optionalKey(
    Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)).annotate({
      description: "The most the gift may cost, in euros"
    })
  )
})

const Found = Schema.Struct({
  recipient: Schema.Literals([...kinds, "anyone"]).annotate({
    description: "How the relationship was understood"
  }),
  gifts: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      name: Schema.String,
      description: Schema.String,
      price: Schema.Finite.annotate({ description: "In euros" }),
      category: Schema.String,
      why: Schema.String
    })
  ).annotate({ description: "The best few, the best first" }),
  matches: Schema.Int.annotate({ description: "How many gifts fit in all" }),
  note: Schema.optionalKey(Schema.String)
})
