/** One HTTP request and its answer, as the platform has them: all that the server part knows of HTTP. */

/** Headers to answer with; names in lower case. */
export type Headers = Readonly<Record<string, string>>

/** What came as the body, or why there is none. */
export type Body =
  | { readonly _tag: "Text"; readonly text: string }
  /** The bytes are no UTF-8. */
  | { readonly _tag: "Garbled" }
  | { readonly _tag: "TooLarge" }
  /** It is compressed, or otherwise coded: nobody here undoes that. */
  | { readonly _tag: "Coded" }
  /** It did not arrive within the time allowed. */
  | { readonly _tag: "TooSlow" }
  /** The client went before it was all there. */
  | { readonly _tag: "Gone" }
  /** What was to read it failed. */
  | { readonly _tag: "Failed"; readonly error: unknown }

/** An answer that is written piece by piece. */
export interface Stream {
  /** Writes at once. A promise settles when there is room for more; the text is accepted either way. After the end, or when the client is gone, it does nothing. */
  readonly write: (text: string) => void | Promise<void>
  readonly end: () => void
}

export interface Exchange {
  /** In upper case. */
  readonly method: string
  /** Path and query as they were asked for, beginning with `/`. */
  readonly target: string
  /** The host of the whole address that was asked for, where it was one. */
  readonly authority: string | undefined
  /** A header's value, surrounding white space removed and several joined by ", "; `name` in lower case. */
  readonly header: (name: string) => string | undefined
  /**
   * Reads the body once, up to `limit` bytes, and for `ms` or a little longer; decoded strictly, a byte order mark left out.
   * Calls back once, maybe at once; what `then` throws is its own affair.
   */
  readonly body: (limit: number, ms: number, then: (body: Body) => void) => void
  /** Who is at the other end as far as the platform knows, such as an address: caps are counted by it. */
  readonly from: string | undefined
  /** Whatever the user hands to handlers: `context(...)` of the adapter was asked for it. */
  readonly context: unknown
  /** Answers whole. Exactly one of `respond` and `stream` is called, once. */
  readonly respond: (status: number, headers: Headers, body?: string) => void
  readonly stream: (status: number, headers: Headers) => Stream
  /** Work goes on that came by it, also after its answer. Not there where nobody would end that. */
  readonly goesOn?: ((work: Promise<void>) => void) | undefined
  /** Calls back, once, when the client goes before the answer has ended. A promise that is returned settles when no work for it goes on. */
  readonly onGone: (gone: () => void | Promise<void>) => void
}
