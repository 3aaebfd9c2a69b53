/** What the server asks us and we have not answered yet, with the batches it came in. */
import type { Batches } from "../batch.js"
import { noBatches } from "../batch.js"
import type { RequestId } from "../jsonrpc.js"
import type { Trie } from "../trie.js"
import { empty } from "../trie.js"

export interface Asks {
  readonly open: Trie<Asked>
  readonly batches: Batches
  /** The next number for an ask or a batch. */
  readonly next: number
}

export interface Asked {
  readonly id: RequestId
  readonly ask: number
  readonly method: string
  readonly via: string
  readonly batch: number | undefined
}

export const noAsks: Asks = { open: empty(), batches: noBatches, next: 1 }

export const asksWith = (open: Trie<Asked>, batches: Batches, next: number): Asks => ({ open, batches, next })
