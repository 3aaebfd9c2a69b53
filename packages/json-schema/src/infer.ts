/** What handlers receive and return, at the level of types. One step deep on purpose: type-checking must stay cheap. */
import type { EffectSchema } from "./bridge.js"

/**
 * What a handler receives: effect's `Type`, a Standard Schema's output, and for a JSON Schema `as const` what its root says, with
 * its properties one step deep. Other JSON Schemas give an object of anything.
 */
export type Decoded<I> = I extends EffectSchema
  ? I["Type"]
  : I extends Typed<unknown, infer O>
    ? O
    : Shallow<I, AnyObject>

/**
 * What a handler may return for an output schema: effect's `Type`, a Standard Schema's input, else as `Decoded`, and anything
 * where the root does not say what it describes.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- it need not be an object
export type Encodable<O> = O extends EffectSchema ? O["Type"] : O extends Typed<infer I, unknown> ? I : Shallow<O, any>

interface Typed<I, O> {
  readonly "~standard": { readonly types?: { readonly input: I; readonly output: O } | undefined }
}

/** JSON of which nothing is known but that it is an object. */
// oxlint-disable-next-line typescript/no-explicit-any -- members of unknown schemas are for the handler to know
export type AnyObject = { readonly [key: string]: any }

type Shallow<S, Unknown> = S extends { readonly properties: infer P }
  ? string extends keyof P
    ? AnyObject
    : { readonly [K in keyof P as K extends Required<S> ? K : never]: Member<P[K]> } & {
        readonly [K in keyof P as K extends Required<S> ? never : K]?: Member<P[K]>
      }
  : Member<S, Unknown>

type Required<S> = S extends { readonly required: ReadonlyArray<infer R> } ? R : never

// oxlint-disable-next-line typescript/no-explicit-any -- one step deep, as said above
type Member<S, Unknown = any> = S extends { readonly enum: ReadonlyArray<infer E> }
  ? E
  : S extends { readonly const: infer C }
    ? C
    : S extends { readonly type: infer T extends keyof Named }
      ? Named[T]
      : Unknown

interface Named {
  readonly string: string
  readonly number: number
  readonly integer: number
  readonly boolean: boolean
  readonly null: null
  // oxlint-disable-next-line typescript/no-explicit-any -- one step deep, as said above
  readonly array: ReadonlyArray<any>
  readonly object: AnyObject
}
