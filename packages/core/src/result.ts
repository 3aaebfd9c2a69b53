/** A value or the reason there is none; the only way core says that something went wrong. */
export type Result<A, E> = Ok<A> | Err<E>

export type Ok<A> = { readonly ok: true; readonly value: A }

export type Err<E> = { readonly ok: false; readonly error: E }

export const ok = <A>(value: A): Ok<A> => ({ ok: true, value })

export const err = <E>(error: E): Err<E> => ({ ok: false, error })
