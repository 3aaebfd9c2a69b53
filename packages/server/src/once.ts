/** What a handler does once, however often it is run again: what earlier runs did, what this run adds, and what is under way. */
import type { JsonObject } from "@parley/core"
import { unsayable } from "./sayable.js"
import { suspension } from "./suspended.js"

type Values = { [key: string]: JsonObject[string] }

export class Once {
  /** In a list of one each, or of none for nothing: JSON has no other word for it. A text says why there is no value. */
  readonly #done: Values
  /** What has begun and not ended, in this run or an earlier one of this process. */
  readonly #doing: Map<string, Promise<unknown>>
  /** What this run was given, as the effects returned it. */
  readonly #own = new Map<string, Promise<unknown>>()
  #misplaced: (error: TypeError) => void
  #beginning = 0

  /** `misplaced` is told of an effect that asks. */
  constructor(
    before: JsonObject | undefined,
    misplaced: (error: TypeError) => void,
    doing = new Map<string, Promise<unknown>>()
  ) {
    this.#done = Object.assign(Object.create(null) as {}, before)
    this.#misplaced = misplaced
    this.#doing = doing
  }

  /** The same for the next run, which knows all that this one does, also what ends later. */
  next(): Once {
    const next = new Once(undefined, () => undefined, this.#doing)
    for (const [key, doing] of this.#doing) {
      const note = (): void => {
        if (Object.hasOwn(this.#done, key)) next.#done[key] = this.#done[key]!
      }
      doing.then(note, note)
    }
    Object.assign(next.#done, this.#done)
    return next
  }

  /** From now on another run is told. */
  by(misplaced: (error: TypeError) => void): this {
    this.#misplaced = misplaced
    return this
  }

  /** Throws when an effect is being begun at this moment: whoever asks now is called by it. */
  beforeAsking(): void {
    if (this.#beginning > 0) throw this.#asks()
  }

  /** Whether something has begun and not ended. */
  get busy(): boolean {
    return this.#doing.size > 0
  }

  /**
   * The value of that key, made by the effect if there is none yet. An effect that fails was not done, and is not remembered;
   * one that was done and whose value can not be kept rejects, and is not done again.
   */
  do(key: string, effect: () => unknown): Promise<unknown> {
    const own = this.#own.get(key)
    if (own !== undefined) return own
    if (Object.hasOwn(this.#done, key)) return this.#kept(key)
    const doing = this.#doing.get(key)
    if (doing !== undefined) return doing.then(() => this.#kept(key))
    const begun = this.#begin(key, effect)
    this.#own.set(key, begun)
    this.#doing.set(key, begun)
    const over = (): void => void this.#doing.delete(key)
    begun.then(over, () => {
      over()
      if (!Object.hasOwn(this.#done, key)) this.#own.delete(key)
    })
    return begun
  }

  /** Settles when nothing is under way. */
  async settled(): Promise<void> {
    while (this.busy) await Promise.allSettled(this.#doing.values())
  }

  /** What may be kept elsewhere: of what is under way nobody there will know how it ends, so that nobody there does it again. */
  values(): JsonObject {
    const begun = [...this.#doing.keys()].map((key) => [key, "it was begun, and nobody knows how it ended"] as const)
    return { ...Object.fromEntries(begun), ...this.#done }
  }

  async #kept(key: string): Promise<unknown> {
    const kept = this.#done[key]
    if (typeof kept === "string") throw lost(key, kept)
    return structuredClone((kept as readonly [unknown?])[0])
  }

  async #begin(key: string, effect: () => unknown): Promise<unknown> {
    let value: unknown
    try {
      value = await this.#called(effect)
    } catch (error) {
      const ended = suspension(error)
      if (ended === undefined) throw error
      // Up to there it was done.
      this.#done[key] = "it was broken off, since its handler waits for an answer"
      throw ended.at === "ask" ? this.#asks() : error
    }
    const odd = unsayable(value)
    if (odd === undefined) {
      const text = JSON.stringify(value) as string | undefined
      this.#done[key] = text === undefined ? [] : [JSON.parse(text) as JsonObject]
      return value
    }
    const why = `its value can not be written as JSON: ${odd}`
    this.#done[key] = why
    throw lost(key, why)
  }

  /** The call ends here, whatever its handler makes of the error. */
  #asks(): TypeError {
    const error = new TypeError("What is done once may not ask: ask before, and do the rest once")
    this.#misplaced(error)
    return error
  }

  #called(effect: () => unknown): unknown {
    this.#beginning++
    try {
      return effect()
    } finally {
      this.#beginning--
    }
  }
}

const lost = (key: string, why: string): TypeError =>
  new TypeError(`What was done once as ${key} is not done again: ${why}`)
