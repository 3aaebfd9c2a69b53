/** Seals what a client keeps for its server from one request to the next: nobody else can read or change it. */
import type { JsonObject } from "@parley/core"

export interface SealOptions {
  /** Whose seals they are: what one server sealed, another with the same keys but of another name does not open. */
  readonly name: string
  /**
   * Secrets of 32 random bytes or more. The first one seals, all of them open: to replace a key, put the new one first and
   * drop the old one when `ttlMs` has passed. Processes that share them open each other's seals. When absent, a key is made
   * for this process, and nothing that it sealed outlives it.
   */
  readonly keys?: ReadonlyArray<Uint8Array>
  /** How long a seal can be opened, in ms. Default 600,000. */
  readonly ttlMs?: number
  /** The time of day, in ms. Default `Date.now`. */
  readonly now?: () => number
}

export interface Sealer {
  /** A token of letters, digits, `-` and `_`. Rejects where the platform has no Web Crypto. */
  readonly seal: (payload: JsonObject, bound: string) => Promise<string>
  /** What was sealed under the same `bound`; nothing for what was not, was changed, or is too old. Never rejects. */
  readonly unseal: (token: string, bound: string) => Promise<JsonObject | undefined>
}

/**
 * A sealer by AES-256-GCM. `bound` says what a seal is good for, such as one user's one request, and has to be said again to
 * open it (2026-07-28 basic/patterns/mrtr, Server Requirements). What it takes is loaded when it is first used.
 *
 * ```ts
 * import { sealer } from "@parley/driver"
 *
 * const { seal, unseal } = sealer({ name: "calculator" })
 * const token = await seal({ guests: 4 }, "ann")
 * await unseal(token, "ann") // => { guests: 4 }
 * await unseal(token, "bob") // => undefined
 * ```
 *
 * @throws TypeError for a key that is none, or too short, and when there are keys but not one
 */
export function sealer(options: SealOptions): Sealer {
  const { name, keys, ttlMs = 600_000, now = Date.now } = options
  const isKey = (key: unknown): boolean => key instanceof Uint8Array && key.length >= 32
  if (keys !== undefined && !(Array.isArray(keys) && keys.length > 0 && keys.every(isKey)))
    throw new TypeError("Sealing needs a list of keys, at least one, each a Uint8Array of 32 random bytes or more")
  const secrets = keys?.map((key) => Uint8Array.from(key))
  let made: Promise<Sealer> | undefined
  const loaded = (): Promise<Sealer> =>
    (made ??= import("./aead.js").then(({ aead }) => aead(name, secrets, ttlMs, now)))
  return {
    seal: async (payload, bound) => (await loaded()).seal(payload, bound),
    unseal: async (token, bound) => {
      try {
        return await (await loaded()).unseal(token, bound)
      } catch {
        return undefined
      }
    }
  }
}
