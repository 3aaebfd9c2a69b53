/** How texts reach a machine and leave it: the one interface that every adapter implements. */
import type { Message } from "@parley/core"

/** A token for the exchange or stream a frame came by, so that answers find their way back. Opaque to everyone but the channel. */
export type Via = string

/** What a channel hands up. It interprets no text, unless it has to for its transport's sake: parsing happens once. */
export type Frame =
  | ({ readonly _tag: "Text"; readonly text: string; readonly via: Via } & Came)
  /** What was parsed where its exchange had to be judged by it. */
  | ({ readonly _tag: "Parsed"; readonly json: unknown; readonly via: Via } & Came)
  /** The exchange ended before it was answered: nobody reads what belongs there. */
  | { readonly _tag: "ExchangeClosed"; readonly via: Via }
  | { readonly _tag: "Garbled"; readonly why: Garbled; readonly via: Via; readonly detail?: string }
  | Unserved

/** What became of something that was sent, where the transport says it and not the peer. No id: of what has no answer. */
export type Unserved =
  /**
   * It was refused, or its exchange ended without a reply. `status` is the transport's own, such as of HTTP: 0 when there was none.
   * `body` says what is known, to be shown to a person.
   */
  | {
      readonly _tag: "Refused"
      readonly id: string | number | undefined
      readonly status: number
      readonly body: string
    }
  /**
   * The session that it belongs to is over. It was not looked at. Without an id: whatever comes next belongs to another session, and
   * where there are none (2026-07-28) to another connection, by which the server tells nothing before it is asked to.
   */
  | { readonly _tag: "SessionLost"; readonly id: string | number | undefined }

/** What a transport that has it knows of the exchange that a message came by. */
export interface Came {
  /** On whose behalf: a name, as whoever authenticated it has it. */
  readonly principal?: string | undefined
  /** The version that the exchange itself names, such as in a header. */
  readonly header?: string | undefined
  /** Whatever is to be handed to the handlers that the message leads to. The machine does not see it. */
  readonly context?: unknown
}

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
  /** The revision that it is of, once one is agreed; for channels with headers. */
  readonly revision?: string | undefined
  /**
   * What headers say of it beside the body, by their names, each value as it is and not encoded; for channels with headers. Only
   * where each request stands for itself (2026-07-28): without it a message belongs to a session.
   */
  readonly mirror?: ReadonlyArray<readonly [header: string, value: string]> | undefined
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
  /** Whether it says in headers what a client's messages are about: then they come with `revision` and `mirror`. */
  readonly headers?: boolean
  /** Whether it goes on over further connections when one is lost, and says so by `SessionLost` without an id. */
  readonly returns?: boolean
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
