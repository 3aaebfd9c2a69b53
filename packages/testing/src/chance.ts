/** Where a drawn conversation takes its decisions from: a seed, or a tape of numbers that can be shrunk. */

/** A number from 0 up to but not including `below`. Zero is always the plainest choice. */
export type Choose = (below: number) => number

/** Reads the tape number by number, and chooses the plainest once it has run out. */
export function tape(numbers: ReadonlyArray<number>): Choose {
  let at = 0
  return (below) => (numbers[at++] ?? 0) % below
}

/** An endless source: the same seed makes the same choices. */
export function seeded(seed: number): Choose {
  let state = seed >>> 0 || 0x9e3779b9
  return (below) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) % below
  }
}

/** One of the items. The first is the plainest. */
export const one = <A>(choose: Choose, items: ReadonlyArray<A>): A => items[choose(items.length)]!

/** True in one case out of `outOf`. */
export const rarely = (choose: Choose, outOf: number): boolean => choose(outOf) === outOf - 1
