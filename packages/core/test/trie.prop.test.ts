/** The persistent map behaves as a Map does, keeps older versions as they were, and does not mind ids that fall together. */
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { empty, insert, lookup, remove, values } from "../src/trie.js"

const key = fc.oneof(
  fc.nat(20),
  fc.nat(20).map(String),
  fc.maxSafeInteger(),
  fc.string({ maxLength: 3 }),
  fc.constantFrom("__proto__", "constructor", "", 2 ** 32, 2 ** 33, -1)
)
const edit = fc.record({ key, value: fc.option(fc.nat(), { nil: undefined }) })
const sorted = (list: Iterable<number>) => [...list].toSorted((a, b) => a - b)

describe("a trie", () => {
  it("holds what a Map holds after the same edits, whatever the salt", () => {
    fc.assert(
      fc.property(fc.array(edit, { maxLength: 60 }), fc.integer(), (edits, salt) => {
        const map = new Map<string | number, number>()
        let trie = empty<number>()
        for (const { key: id, value } of edits) {
          const before = trie
          const held = sorted(values(before))
          if (value === undefined) {
            map.delete(id)
            trie = remove(trie, id, salt)
          } else {
            map.set(id, value)
            trie = insert(trie, id, value, salt)
          }
          expect(trie.size).toBe(map.size)
          expect(sorted(values(before))).toEqual(held)
        }
        for (const { key: id } of edits) expect(lookup(trie, id, salt)).toBe(map.get(id))
        expect(sorted(values(trie))).toEqual(sorted(map.values()))
      })
    )
  })

  it('keeps 1 and "1" apart', () => {
    const trie = insert(insert(empty<string>(), 1, "number", 0), "1", "text", 0)
    expect([lookup(trie, 1, 0), lookup(trie, "1", 0), trie.size]).toEqual(["number", "text", 2])
  })

  it("is itself again when nothing is removed, and nothing when all is", () => {
    const one = insert(empty<number>(), "a", 1, 0)
    expect(remove(one, "b", 0)).toBe(one)
    expect(remove(one, "a", 0)).toEqual(empty())
    expect(lookup(empty(), "a", 0)).toBeUndefined()
  })

  it("holds ids whose hashes are equal", () => {
    const twins = sameHash()
    let trie = twins.reduce((all, id, at) => insert(all, id, at, 0), empty<number>())
    expect(twins.map((id) => lookup(trie, id, 0))).toEqual(twins.map((_, at) => at))
    trie = insert(trie, twins[0]!, 99, 0)
    expect(trie.size).toBe(twins.length)
    expect(lookup(trie, twins[0]!, 0)).toBe(99)
    for (const id of twins) trie = remove(trie, id, 0)
    expect(trie.size).toBe(0)
  })

  it("is as deep as it must be for a hundred thousand ids, and empties again", () => {
    let trie = empty<number>()
    for (let id = 0; id < 100_000; id++) trie = insert(trie, id, id, 5)
    expect(trie.size).toBe(100_000)
    expect(lookup(trie, 77_777, 5)).toBe(77_777)
    for (let id = 0; id < 100_000; id++) trie = remove(trie, id, 5)
    expect(trie).toEqual(empty())
  })
})

/** A small integer and a large one whose upper half is what the small one is mixed to. */
function sameHash(): ReadonlyArray<number> {
  for (let id = 1; ; id++) {
    const mixed = Math.imul(id, 0x85ebca6b)
    if (mixed > 0 && mixed < 2 ** 21) return [id, mixed * 2 ** 32]
  }
}
