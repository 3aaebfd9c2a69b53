/** Batches of 2025-03-26 are passed on message by message, for an exchange of HTTP is for one; their replies are gathered again. */
import type { Message, RequestId } from "@parley/core"
import { read } from "@parley/core"

export interface Gathering {
  /** The replies to what is in it are one from now on. */
  readonly begin: (batch: ReadonlyArray<unknown>) => void
  /** What is to be said of a message for the client: itself, the replies of a batch that it made whole, or nothing yet. */
  readonly gather: (message: Message) => Message | undefined
  /** There will be no reply to that. What is to be said then, if something is. */
  readonly without: (id: RequestId) => Message | undefined
}

interface Batch {
  left: number
  readonly replies: Array<Message>
}

export function gathering(): Gathering {
  const open = new Map<RequestId, Batch>()

  function settle(id: RequestId, reply: ReadonlyArray<Message>): Message | undefined {
    const batch = open.get(id)!
    open.delete(id)
    batch.replies.push(...reply)
    return --batch.left === 0 && batch.replies.length > 0 ? (batch.replies as unknown as Message) : undefined
  }

  return {
    begin: (messages) => {
      const ids = messages.flatMap((one) => {
        const envelope = read(one)
        return envelope._tag === "Request" ? [envelope.message.id] : []
      })
      const batch: Batch = { left: new Set(ids).size, replies: [] }
      for (const id of ids) open.set(id, batch)
    },
    gather: (message) => {
      const { id, method } = message as { readonly id?: RequestId; readonly method?: string }
      return method === undefined && id !== undefined && open.has(id) ? settle(id, [message]) : message
    },
    without: (id) => (open.has(id) ? settle(id, []) : undefined)
  }
}
