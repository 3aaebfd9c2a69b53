/** A trie is as its entries make it, whatever was in it before: what is removed leaves no empty ways behind. */
import * as fc from "fast-check"
import { expect, it } from "vitest"
import { empty, insert, remove } from "../src/trie.js"

const ids = fc.uniqueArray(fc.oneof(fc.nat(1_000), fc.string({ maxLength: 3 })), { maxLength: 40 })

it("has the shape of one in which the rest was never inserted", () => {
  fc.assert(
    fc.property(ids, fc.nat(40), fc.integer(), (ids, count, salt) => {
      const of = (some: ReadonlyArray<number | string>) =>
        some.reduce((trie, id) => insert(trie, id, id, salt), empty<number | string>())
      const left = ids.slice(count)
      expect(ids.slice(0, count).reduce((trie, id) => remove(trie, id, salt), of(ids))).toEqual(of(left))
    })
  )
})
