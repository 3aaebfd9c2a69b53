/** How many streams each client has open by GET. */
import type { Exchange } from "./exchange.js"

export interface Crowd {
  /** Whether that client has as many as it may have. */
  readonly full: (exchange: Exchange, principal: string | undefined) => boolean
  /** One more; the returned function takes it back, once. */
  readonly enter: (exchange: Exchange, principal: string | undefined) => () => void
}

/** Nobody is counted of whom nothing is known. */
export function crowd(most: number): Crowd {
  const open = new Map<string, number>()
  return {
    full: ({ from }, principal) => {
      const client = principal ?? from
      return open.size > 0 && client !== undefined && (open.get(client) ?? 0) >= most
    },
    enter: ({ from }, principal) => {
      const client = principal ?? from
      if (client === undefined) return () => undefined
      open.set(client, (open.get(client) ?? 0) + 1)
      let left = false
      return () => {
        if (left) return
        left = true
        const rest = open.get(client)! - 1
        if (rest > 0) open.set(client, rest)
        else open.delete(client)
      }
    }
  }
}
