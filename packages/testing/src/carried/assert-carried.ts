/** Holds transports to the bare core: the same conversations, and what they say is to be the same. */
import { seeded } from "../chance.js"
import type { Deed, Way } from "./carrier.js"
import { kinds } from "./drawn-deeds.js"
import { reached } from "./rows.js"
import type { Difference, Done } from "./same.js"
import { difference, lived } from "./same.js"
import { warm } from "./warm.js"

export interface CarriedOptions {
  /** How many conversations. Default 100. */
  readonly conversations?: number
  /** The seed that a failure names, to see it again. Default: another one each time. */
  readonly seed?: number
  /** What is done in a conversation, at most. Default 20. */
  readonly deeds?: number
  /** How long to wait for what the bare core said at once, in ms. Default 5,000. */
  readonly patienceMs?: number
}

/**
 * Draws conversations of all revisions, has the bare core live them, and then each of the ways: replies and what is said about a
 * request have to be the same, request by request, and with HTTP by the exchange that they belong to.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { assertCarried, byChannel } from "@parley/testing"
 *
 * const way = byChannel("link", () => {
 *   const [near, far] = link()
 *   return { near, far }
 * })
 * await assertCarried([way], { conversations: 6 })
 * ```
 * Resolves with how often each row was reached, by revision, side and method. Rejects with the first difference, and all that was
 * done until then.
 */
export async function assertCarried(
  ways: ReadonlyArray<Way>,
  { conversations = 100, seed = Date.now() | 0, deeds = 20, patienceMs = 5_000 }: CarriedOptions = {}
): Promise<ReadonlyMap<string, number>> {
  await (warmed ??= warm())
  const counts = new Map<string, number>()
  for (let number = 0; number < conversations; number++) {
    const kind = kinds[number % kinds.length]!
    const done = await lived(kind, seeded((seed + number) * 0x9e3779b1), deeds)
    reached(kind, done, counts)
    for (const way of ways) {
      const differs = await difference(done, way, patienceMs)
      if (differs !== undefined) throw new Error(inWords(differs, done, `seed ${seed}, conversation ${number}`))
    }
  }
  return counts
}

let warmed: Promise<void> | undefined

function inWords({ way, at, deed, expected, got }: Difference, done: ReadonlyArray<Done>, where: string): string {
  return [
    `Invariant 13: the same conversation gets the same replies by whatever carries it. Not so by ${way} (${where}):`,
    ...done.slice(0, at).map((before, number) => `  ${number} ${shown(before.deed)}`),
    `  ${at} ${shown(deed)}`,
    `the bare core: ${JSON.stringify(expected)}`,
    `by ${way}: ${JSON.stringify(got)}`
  ].join("\n")
}

const shown = (deed: Deed): string => JSON.stringify(deed).slice(0, 600)
