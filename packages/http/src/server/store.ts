/** Where sessions are kept when more than one process serves them. */

/** What is kept of a session, and which state of it that is. */
export interface StoredSession {
  /** One JSON text. Only this package reads it. */
  readonly text: string
  /** Another one after each write. */
  readonly version: string
}

/**
 * Keeps sessions where several processes find them. A write counts only when nobody else has written meanwhile: that is what
 * makes a call complete exactly once, however its messages are spread over the processes. A rejected promise means that it can
 * not be told whether the write was done; the exchange at hand is answered with status 503, or its call fails. So it goes for one that
 * does not settle within `storeMs` (10,000 ms).
 *
 * A session that was not written or touched for `ttlMs` is to be forgotten, by the store itself. Bounds on the number of
 * sessions are the store's own: one that is full rejects `create`.
 */
export interface SessionStore {
  /** Keeps a session under an id that is new. The version of what it wrote; nothing when the id is taken. */
  readonly create: (id: string, text: string, ttlMs: number) => Promise<string | undefined>
  readonly load: (id: string) => Promise<StoredSession | undefined>
  /** Writes if the session is still at `version`: the version of what it wrote, or nothing when it is at another, or gone. */
  readonly swap: (id: string, version: string, text: string, ttlMs: number) => Promise<string | undefined>
  /** It is in use: it is kept for `ttlMs` from now on. Nothing when there is none. */
  readonly touch: (id: string, ttlMs: number) => Promise<void>
  /** Whether there was one. */
  readonly delete: (id: string) => Promise<boolean>
}
