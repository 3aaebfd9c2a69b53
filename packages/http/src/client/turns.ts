/** So many at once; the others wait, in the order in which they came. */
export interface Turns {
  /** Settles when it is their turn; nothing when it is already. Each that was taken is given back once. */
  readonly take: () => Promise<void> | undefined
  readonly give: () => void
}

export function turns(most: number): Turns {
  let free = most
  const waiting = new Set<() => void>()
  return {
    take: () => {
      if (free > 0) {
        free--
        return undefined
      }
      return new Promise((resolve) => waiting.add(resolve))
    },
    give: () => {
      const [next] = waiting
      if (next === undefined) {
        free++
        return
      }
      waiting.delete(next)
      next()
    }
  }
}
