/** A batch and the replies to it: which reply answers which member. */
import type { Fields, Read } from "./envelope.js"
import { own } from "./envelope.js"

/** The members in the order of the replies, or nothing when some reply answers none of those that are due, or some that is due has no reply. */
export function pairs<M extends { readonly read: Read }>(
  due: ReadonlyArray<M>,
  messages: ReadonlyArray<Fields>
): ReadonlyArray<M> | undefined {
  const left = [...due]
  const found: Array<M> = []
  for (const message of messages) {
    const at = left.findIndex(({ read }) => read.id === (own(message, "id") ?? undefined))
    if (at < 0) return undefined
    found.push(...left.splice(at, 1))
  }
  return left.length === 0 ? found : undefined
}
