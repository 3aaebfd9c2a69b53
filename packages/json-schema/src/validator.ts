/** What a validator is and what it answers, whatever kind of schema it was made from. */

/** A JSON Schema document whose root is an object. It is read when it is given and never changed. */
export type JsonSchema = { readonly [key: string]: unknown }

/** One thing that is wrong. */
export interface Issue {
  /** Such as `profile.age`, `items[0]` or `["odd name"]`; empty for the value itself. */
  readonly path: string
  /** Readable text such as `expected an integer` or `missing`. */
  readonly message: string
}

export type Validated<A> = Valid<A> | Invalid

export interface Valid<A> {
  readonly ok: true
  readonly value: A
}

export interface Invalid {
  readonly ok: false
  /** At least one and at most `bounds.issues`. */
  readonly issues: ReadonlyArray<Issue>
  /** True when one of the `bounds` was met, so that the value is neither known to be right nor wrong. */
  readonly unchecked?: true
}

export interface Validator<A = unknown> {
  /** What is announced to the peer: for input what it may send, for output what it will receive. */
  readonly jsonSchema: JsonSchema
  /**
   * Judges one value. For input `value` is what a handler receives, for output what is sent.
   * A promise only when the schema itself needs one; a validator made from JSON Schema never does.
   */
  readonly validate: (value: unknown) => Validated<A> | Promise<Validated<A>>
}

/** A validator whose `validate` answers at once. */
export interface SyncValidator<A = unknown> extends Validator<A> {
  readonly validate: (value: unknown) => Validated<A>
}

/** A validator that needs a module loaded first. `ready` rejects with `SchemaRefused` as `compile` throws it. */
export interface Deferred<A = unknown, V extends Validator<A> = Validator<A>> {
  readonly ready: Promise<V>
}

/** Whoever never waits for it is not told of a refusal. */
export function deferred<A, V extends Validator<A>>(ready: Promise<V>): Deferred<A, V> {
  ready.catch(() => undefined)
  return { ready }
}

export const valid = <A>(value: A): Valid<A> => ({ ok: true, value })

export const invalid = (issues: ReadonlyArray<Issue>): Invalid => ({ ok: false, issues })

export const unchecked = (message: string, path = ""): Invalid => ({
  ok: false,
  issues: [{ path, message }],
  unchecked: true
})
