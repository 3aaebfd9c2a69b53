/** What a machine says for the logs: structured, and never needed to act. */
import type { Failure } from "./failure.js"
import type { RequestId } from "./jsonrpc.js"
import type { Peer } from "./peer.js"

/** `peer`: whose request it is about, where it is about one and that is known. */
export type Report =
  /** The two sides agreed. `asked` is the version the client asked for, `wrong` the capabilities that were not understood. */
  | { readonly _tag: "Agreed"; readonly asked: string; readonly peer: Peer; readonly wrong: ReadonlyArray<string> }
  /** A request was refused, and the peer was told so. */
  | {
      readonly _tag: "Refused"
      readonly id: RequestId | undefined
      readonly method: string | undefined
      readonly failure: Failure
      readonly peer?: Peer | undefined
    }
  /** A message needed no answer and had no effect. */
  | {
      readonly _tag: "Ignored"
      readonly method: string | undefined
      readonly id: RequestId | undefined
      readonly why: string
      readonly peer?: Peer | undefined
    }
  /** A request that was under way ended without a reply, because its requester withdrew it. */
  | {
      readonly _tag: "Cancelled"
      readonly id: RequestId
      readonly method: string
      readonly reason: string | undefined
      readonly peer?: Peer | undefined
    }
  /** What our own side produced was not valid, and was not sent. */
  | {
      readonly _tag: "Unsendable"
      readonly method: string
      readonly why: string
      readonly peer?: Peer | undefined
    }
