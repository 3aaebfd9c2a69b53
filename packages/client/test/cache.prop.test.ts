/** Whatever is asked, answered, changed and waited for: a cache serves what a plain list of all results would. */
import { v2026_07_28 } from "@parley/core/revisions"
import fc from "fast-check"
import { expect, it } from "vitest"
import { simulated } from "../../driver/test/simulated.js"
import type { Question } from "../src/cache.js"
import { keeping, outdated } from "../src/cache.js"

type Move =
  | { readonly _tag: "ask" | "find"; readonly who: string; readonly asked: string }
  | {
      readonly _tag: "answer"
      readonly which: number
      readonly ttlMs: number
      readonly open: boolean
      readonly n: number
    }
  | { readonly _tag: "fail"; readonly which: number }
  | { readonly _tag: "wait"; readonly ms: number }
  | { readonly _tag: "tell"; readonly method: string; readonly uri: string }

const day = 24 * 60 * 60 * 1_000
const uris = ["a:b", "a:b/c", "a:bc"]
const lists = ["tools/list", "tools/list 2", "resources/list"]

const moves = (asked: ReadonlyArray<string>): fc.Arbitrary<ReadonlyArray<Move>> => {
  const question = { who: fc.constantFrom("me", "you"), asked: fc.constantFrom(...asked) }
  const which = fc.nat(3)
  return fc.array(
    fc.oneof(
      { weight: 4, arbitrary: fc.record({ _tag: fc.constant("ask" as const), ...question }) },
      { weight: 4, arbitrary: fc.record({ _tag: fc.constant("find" as const), ...question }) },
      {
        weight: 5,
        arbitrary: fc.record({
          _tag: fc.constant("answer" as const),
          which,
          ttlMs: fc.constantFrom(-1, 0, 1, 5, 50, 3 * day),
          open: fc.boolean(),
          n: fc.nat(2)
        })
      },
      { weight: 1, arbitrary: fc.record({ _tag: fc.constant("fail" as const), which }) },
      { weight: 2, arbitrary: fc.record({ _tag: fc.constant("wait" as const), ms: fc.constantFrom(1, 4, 20, day) }) },
      {
        weight: 1,
        arbitrary: fc.record({
          _tag: fc.constant("tell" as const),
          method: fc.constantFrom(
            "notifications/tools/list_changed",
            "notifications/resources/list_changed",
            "notifications/resources/updated"
          ),
          uri: fc.constantFrom(...uris)
        })
      }
    ),
    { maxLength: 60 }
  )
}

const questionOf = ({ who, asked }: { who: string; asked: string }): Question => {
  const [method, cursor] = asked.split(" ")
  const params = uris.includes(asked) ? { uri: asked } : cursor === undefined ? undefined : { cursor }
  return { revision: v2026_07_28, method: uris.includes(asked) ? "resources/read" : method!, params, who }
}

/** What a request asks for, said by a notification to be of the past. */
function concerns({ method, uri }: { method: string; uri: string }, asked: string): boolean {
  if (method === "notifications/tools/list_changed") return asked.startsWith("tools/list")
  if (method === "notifications/resources/list_changed") return asked === "resources/list"
  return asked === uri || (uri !== "a:bc" && asked !== "a:bc" && uris.includes(asked))
}

interface Kept {
  readonly who: string
  readonly asked: string
  readonly open: boolean
  readonly n: number
  readonly until: number
}

interface Asking {
  readonly who: string
  readonly asked: string
  readonly over: (result?: {}) => void
  spoiled: boolean
}

const resultOf = ({ asked, n, ttlMs, open }: { asked: string; n: number; ttlMs: number; open: boolean }) => ({
  [uris.includes(asked) ? "contents" : asked.slice(0, asked.indexOf("/"))]: [n],
  ttlMs,
  cacheScope: open ? "public" : "private"
})

function play(moves: ReadonlyArray<Move>, limits: { maxEntries?: number; maxBytes?: number }, exact: boolean) {
  const clock = simulated()
  const cache = keeping({ clock, ...limits })
  let all: ReadonlyArray<Kept> = []
  let asking: ReadonlyArray<Asking> = []
  const served = ({ who, asked }: { who: string; asked: string }) =>
    all.filter((one) => one.asked === asked && clock.now() < one.until && (one.open || one.who === who))
  for (const move of moves) {
    switch (move._tag) {
      case "ask":
        asking = [...asking, { who: move.who, asked: move.asked, over: cache.asked(questionOf(move)), spoiled: false }]
        break
      case "fail":
      case "answer": {
        const one = asking[move.which]
        if (one === undefined) break
        asking = asking.filter((other) => other !== one)
        if (move._tag === "fail") {
          one.over()
          break
        }
        const { who, asked, spoiled } = one
        one.over(resultOf({ ...move, asked }))
        if (spoiled) break
        const before = all.filter((old) => old.asked === asked && (old.open || old.who === who))
        all = all.filter((old) => !before.includes(old))
        if (!uris.includes(asked) && before.some(({ n }) => n !== move.n)) {
          const same = (other: string) => other.split(" ")[0] === asked.split(" ")[0]
          all = all.filter((old) => !same(old.asked))
          for (const other of asking) if (same(other.asked)) other.spoiled = true
        }
        if (move.ttlMs > 0)
          all = [...all, { who, asked, open: move.open, n: move.n, until: clock.now() + Math.min(move.ttlMs, day) }]
        break
      }
      case "find": {
        const found = cache.find(questionOf(move))
        const fits = served(move).map(({ n }) => [n])
        const items = found && (found["contents"] ?? found[move.asked.slice(0, move.asked.indexOf("/"))])
        if (items !== undefined) expect(fits).toContainEqual(items)
        else if (exact) expect(fits).toEqual([])
        break
      }
      case "wait":
        clock.advance(move.ms)
        break
      case "tell":
        cache.drop(outdated(v2026_07_28, move.method, { uri: move.uri }))
        all = all.filter(({ asked }) => !concerns(move, asked))
        for (const one of asking) if (concerns(move, one.asked)) one.spoiled = true
    }
  }
  return cache
}

it("serves all that is fresh, and nothing that is stale, was said to have changed, or is somebody else's", () => {
  fc.assert(
    fc.property(moves([...uris, ...lists]), (moves) => {
      play(moves, {}, true)
    }),
    { numRuns: 2_000 }
  )
})

it("within its limits serves nothing else, and keeps no more than they allow", () => {
  const bytes = 2 * JSON.stringify(resultOf({ asked: "a:b", n: 1, ttlMs: 50, open: false })).length
  fc.assert(
    fc.property(moves(uris), fc.constantFrom(1, 2, 3), fc.boolean(), (moves, most, inBytes) => {
      const cache = play(moves, inBytes ? { maxBytes: most * bytes } : { maxEntries: most }, false)
      expect(cache.size()).toBeLessThanOrEqual(most)
    }),
    { numRuns: 1_000 }
  )
})
