/** The tool that adds a gift; the schema keeps out what is malformed, the shelf what is there already. */
import { failed, tool } from "@parley/server"
import * as Schema from "effect/Schema"
import type * as SchemaAST from "effect/SchemaAST"
import { kinds } from "./relationship.js"
import type { Shelf } from "./shelf.js"

/** `changed` is awaited before the reply: whoever is told that the gift was added has heard of the lists that changed. */
export const addGift = (shelf: Shelf, changed: () => Promise<void>) =>
  tool(
    "add_gift",
    {
      title: "Add a gift",
      description: "Adds a gift to the catalogue. Its id must be new.",
      input: newGift(shelf.categories().map(({ name }) => name)),
      output: Schema.Struct({ uri: Schema.String, gifts: Schema.Int }),
      annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
    },
    async ({ youngest, oldest, relationships: [first, ...others] = [], tags = [], ...gift }, call) => {
      if (youngest > oldest) return failed(`youngest is ${youngest} and oldest ${oldest}: it would suit nobody.`)
      switch (shelf.add({ ...gift, ages: [youngest, oldest], relationships: [first ?? "anyone", ...others], tags })) {
        case "taken":
          call.log("warning", { refused: gift.id, why: "the id is taken" }, "shelf")
          return failed(`There is a gift ${gift.id} already: ${shelf.find(gift.id)!.name}. Choose another id.`)
        case "full":
          call.log("warning", { refused: gift.id, why: "the shelf is full" }, "shelf")
          return failed(`The catalogue is full: it has ${shelf.gifts().length} gifts.`)
        case undefined:
          await changed()
          call.log("notice", { added: gift.id, category: gift.category }, "shelf")
          return { uri: `gift://${gift.id}`, gifts: shelf.gifts().length }
      }
    }
  )

/** The categories are named, so a gift of a new one changes the list of tools as well. */
const newGift = (categories: ReadonlyArray<string>) =>
  Schema.Struct({
    id: text(60, hyphenated, "Its name in lower case, such as paper-kite"),
    name: text(80, oneLine, "What it is called"),
    description: text(300, oneLine, "One sentence"),
    price: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }), wholeCents).annotate({
      description: "In euros, with at most two decimals"
    }),
    category: text(30, lowerCase, `One of ${categories.join(", ")}; or a new one`),
    youngest: Age.annotate({ description: "The age from which it suits" }),
    oldest: Age.annotate({ description: "The age up to which it suits" }),
    relationships: Schema.optionalKey(
      Schema.Array(Schema.Literals(kinds))
        .check(someone, Schema.isMaxLength(kinds.length))
        .annotate({ description: "Whom it suits: one kind or more. Leave it out for a gift that suits anyone" })
    ),
    tags: Schema.optionalKey(
      Schema.Array(text(20, oneLine, "A word or two"))
        .check(Schema.isMaxLength(8))
        .annotate({ description: "What it is like" })
    )
  })

/** Not `multipleOf: 0.01`: by division, as some validators do it, 19.99 is none. */
const wholeCents = Schema.makeFilter<number>((price) => Number(price.toFixed(2)) === price, {
  expected: "at most two decimals"
})

const someone = Schema.isMinLength(1, { expected: "at least one kind; leave it out for a gift that suits anyone" })

const Age = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 120 }))

const text = (longest: number, pattern: SchemaAST.Filter<string>, description: string) =>
  Schema.String.check(Schema.isMaxLength(longest), pattern).annotate({ description })

// With the flag u, which is how JSON Schema reads patterns: effect prints no others.
const hyphenated = Schema.isPattern(/^[a-z0-9]+(-[a-z0-9]+)*$/u, { expected: "lower-case words with hyphens between" })

const lowerCase = Schema.isPattern(/^[a-z]+( [a-z]+)*$/u, { expected: "lower-case words with spaces between" })

/** No line breaks, nothing that a terminal obeys or a reader can not see. */
const oneLine = Schema.isPattern(/^[\p{L}\p{M}\p{N}\p{P}\p{S}]+( [\p{L}\p{M}\p{N}\p{P}\p{S}]+)*$/u, {
  expected: "visible characters with single spaces between"
})
