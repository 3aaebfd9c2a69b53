/** The contract of channels, as checks that run under any test runner: every channel passes them, also one's own. */
import type { Channel } from "@parley/driver"
import {
  backPressure,
  batches,
  bothWays,
  garbage,
  givenText,
  inOrder,
  lineEnds,
  slowly,
  unicode,
  whole
} from "./channel-carrying.js"
import { aborts, closedLast, closesBusy, closesOnce, flushes, nothingLater, sendsLate } from "./channel-closing.js"

/** Two channels joined to each other, neither of them open yet. */
export interface Pair {
  readonly near: Channel
  readonly far: Channel
  /** Lets go of what carries them, after both were closed. */
  release?(): Promise<void>
  /** Puts these bytes, framed as one message is, where that side reads, in order with what is sent. Left out where it can not be done. */
  readonly garble?: { readonly [side in "near" | "far"]?: (bytes: Uint8Array) => void }
}

/** `run` rejects with an error that says what was expected. It takes ten seconds at most for what does not come. */
export interface ContractCheck {
  readonly name: string
  run(): Promise<void>
}

/**
 * One check for each thing that one may rely on, run in both directions. `make` is called afresh for every run.
 *
 * ```ts no-run
 * import { link } from "@parley/driver"
 * import { channelContract } from "@parley/testing"
 * import { test } from "vitest"
 *
 * for (const check of channelContract(async () => {
 *   const [near, far] = link()
 *   return { near, far }
 * })) test(check.name, () => check.run())
 * ```
 */
export function channelContract(make: () => Promise<Pair>): ReadonlyArray<ContractCheck> {
  return CHECKS.map(([name, judge]) => ({
    name,
    async run() {
      for (const side of ["far", "near"] as const) {
        const pair = await make()
        const [from, to] = side === "far" ? [pair.near, pair.far] : [pair.far, pair.near]
        try {
          await judge({ from, to, garble: pair.garble?.[side] })
        } finally {
          await Promise.all([pair.near.close(), pair.far.close()])
          await pair.release?.()
        }
      }
    }
  }))
}

/** What a check gets: it opens both. */
export interface Joined {
  readonly from: Channel
  readonly to: Channel
  readonly garble: ((bytes: Uint8Array) => void) | undefined
}

const CHECKS: ReadonlyArray<readonly [name: string, judge: (joined: Joined) => Promise<void>]> = [
  ["hands up what was sent, in the order of sending", inOrder],
  ["hands up each message whole, however large", whole],
  ["carries any text", unicode],
  ["sends the given text when there is one", givenText],
  ["keeps a given text one message, also with line ends in it", lineEnds],
  ["carries batches", batches],
  ["stops reading while a frame is being handled, and tells the sender to wait", backPressure],
  ["goes on reading in order when every frame takes time", slowly],
  ["carries both directions at once", bothWays],
  ["tells once that nothing more arrives, after the last frame", closedLast],
  ["sends out what was accepted before it closes", flushes],
  ["closes once, however often it is asked", closesOnce],
  ["hands up nothing once it is closing", nothingLater],
  ["closes also while a frame is being handled", closesBusy],
  ["drops what is sent after it closed", sendsLate],
  ["takes an abort of anything at any time", aborts],
  ["reports bytes that are not text, and lives", garbage]
]
