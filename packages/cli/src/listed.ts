/** One list of a server's: not declared, listed, or asked for in vain. */
import { CallError } from "@parley/client"
import type { Report } from "@parley/core"
import { block } from "./clean.js"
import type { Gathered } from "./gather.js"
import type { Hints, Transcript } from "./transcript.js"
import type { Trouble } from "./trouble.js"
import { troubleOf, uneventful } from "./trouble.js"

export type Listed<A> =
  /** `found`: how many there are all the same, where that was asked and answered. */
  | { readonly _tag: "Undeclared"; readonly found: number | undefined }
  | {
      readonly _tag: "Listed"
      readonly items: ReadonlyArray<A>
      /** Why it is not the whole list, in words. */
      readonly cut: string | undefined
      readonly ms: number
      /** For how long a client may keep it, and for whom, where the server says so. */
      readonly hints?: Hints | undefined
      /** Why items were left out, for each. */
      readonly dropped: ReadonlyArray<string>
    }
  | { readonly _tag: "Failed"; readonly ms: number; readonly trouble: Trouble }

/** Rejects only when the session is over or the person has had enough. */
export async function listed<A>(
  method: string,
  ask: () => Promise<Gathered<A>>,
  transcript: Transcript,
  reports: ReadonlyArray<Report>
): Promise<Listed<A>> {
  try {
    const { items, cut } = await ask()
    const dropped = droppedFrom(method, reports)
    return { _tag: "Listed", items, cut, ms: transcript.took(method), hints: transcript.hints(method), dropped }
  } catch (error) {
    const tag = error instanceof CallError ? error.reason._tag : error instanceof RangeError ? "TooDeep" : "Ours"
    if (tag === "MethodUndeclared") return { _tag: "Undeclared", found: undefined }
    if (["Closed", "NotOpen", "Abandoned", "Ours"].includes(tag)) throw error
    const trouble = troubleOf(error, uneventful)
    return { _tag: "Failed", ms: transcript.took(method), trouble }
  }
}

const LEFT_OUT = "an item was left out: "

export const isDropped = (report: Report): boolean => report._tag === "Ignored" && report.why.startsWith(LEFT_OUT)

const droppedFrom = (method: string, reports: ReadonlyArray<Report>): ReadonlyArray<string> =>
  reports.flatMap((report) =>
    isDropped(report) && report._tag === "Ignored" && report.method === method
      ? [block(report.why.slice(LEFT_OUT.length))]
      : []
  )
