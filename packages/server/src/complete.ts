/** Suggestions for an argument while it is being typed. */
import type { Maybe } from "./maybe.js"

/**
 * Suggests values that continue `value`. `others` are the arguments already chosen (clients tell from 2025-06-18 on).
 * At most 100 are sent, with the number of all of them.
 */
export type Complete = (value: string, others: { readonly [name: string]: string }) => Maybe<ReadonlyArray<string>>

/** The most values that a completion may have: every revision, server/utilities/completion. */
const most = 100

export const completion = (values: ReadonlyArray<string>): { readonly completion: object } => ({
  completion: { values: values.slice(0, most), total: values.length, hasMore: values.length > most }
})
