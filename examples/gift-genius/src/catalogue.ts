/** The catalogue of gifts: what one entry is, and all of them, read from the data file. */
import { readFileSync } from "node:fs"
import * as Schema from "effect/Schema"
import { kinds } from "./relationship.js"

export const Gift = Schema.Struct({
  id: Schema.NonEmptyString,
  name: Schema.NonEmptyString,
  description: Schema.NonEmptyString,
  /** In euros. */
  price: Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0)),
  category: Schema.NonEmptyString,
  /** The youngest and the oldest it suits. */
  ages: Schema.Tuple([Schema.Int, Schema.Int]),
  /** Whom it suits; `anyone` stands alone. */
  relationships: Schema.NonEmptyArray(Schema.Literals([...kinds, "anyone"])),
  tags: Schema.Array(Schema.NonEmptyString)
})

export type Gift = typeof Gift.Type

const file = new URL("../data/gifts.json", import.meta.url)

export const catalogue: ReadonlyArray<Gift> = Schema.decodeUnknownSync(Schema.Array(Gift))(
  JSON.parse(readFileSync(file, "utf8"))
)
