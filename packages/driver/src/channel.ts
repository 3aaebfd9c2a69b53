/** How texts reach a machine and leave it: the one interface that every adapter implements. */
import type { Message } from "@parley/core"

/** A token for the exchange or stream a frame came by, so that answers find their way back. Opaque to everyone but the channel. */
export type Via = string

/** What a channel hands up. It never interprets text: parsing happens once, above. */
export type Frame =
  | { readonly _tag: "Text"; readonly text: string; readonly via: Via }
  | { readonly _tag: "Garbled"; readonly why: Garbled; readonly via: Via; readonly detail?: string }
  | { readonly _tag: "Refused"; readonly id: string | number; readonly status: number; readonly body: string }
  | { readonly _tag: "SessionLost"; readonly id: string | number }

/** `utf8`: bytes that are not text. `json`: text that is no JSON. `tooLarge`: a message beyond the channel's limit, which was discarded. */
export type Garbled = "utf8" | "json" | "tooLarge"

/**
 * Why nothing more arrives.
 * `Ended`: the peer finished sending, and may still read what we send (end of input on stdio).
 * `Gone`: nothing can be sent either; `detail` says what is known, readable by a person.
 * `Closed`: this side called `close`.
 */
export type Closed =
  | { readonly _tag: "Ended" }
  | { readonly _tag: "Gone"; readonly detail: string }
  | { readonly _tag: "Closed" }

/** One thing to send. `text`, when present, is `message` already serialised, without a line end. */
export interface Outgoing {
  readonly message: Message | ReadonlyArray<Message>
  readonly via: Via | undefined
  /** True when the exchange this answers may end. */
  readonly last: boolean
  readonly text?: string | undefined
}

export interface ChannelEvents {
  /** A frame arrived. While the promise it returns is pending the channel stops reading. */
  frame(frame: Frame): void | Promise<void>
  /** Nothing more arrives. Called exactly once, after the last `frame`. */
  closed(why: Closed): void
}

export interface Channel {
  /** How abandoning a request is told to the peer: by `notifications/cancelled`, or by closing its exchange. */
  readonly cancels: "message" | "exchange"
  /** Starts reading. Called exactly once, before anything else. */
  open(on: ChannelEvents): void
  /**
   * Sends, in the order of calls. Returns nothing when there is room for more, else a promise that settles when there is;
   * the message is accepted either way. After the channel has closed it drops what it is given. Throws only when the message
   * can not be written as JSON, and then nothing of it was sent.
   */
  send(out: Outgoing): void | Promise<void>
  /** Closes the exchange of a request, where exchanges are how requests are cancelled; elsewhere it does nothing. */
  abort(id: string | number): void
  /** Sends out what was accepted, then closes. Idempotent; settles when the channel is closed, and `closed` has been called. */
  close(why?: string): Promise<void>
}
