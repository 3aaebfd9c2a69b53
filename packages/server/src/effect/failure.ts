/** What a handler may fail with: what the client is told is in the type, and everything else is a defect. */
import type { JsonObject } from "@parley/core"
import type { Told } from "../failed.js"
import { ToolFailed } from "../index.js"
import type { PageRequired } from "../page-required.js"

/**
 * What the client can be told: `failed(text)`, an answer that did not come, a page that has to be visited first, or
 * `refused(...)`. Errors of another type are mapped to one of these, which is where to decide how much the client may know.
 */
export type Failure = ToolFailed | PageRequired | Refused

/** The request is answered with this JSON-RPC error; see `refused`. */
export class Refused extends ToolFailed {
  override readonly name = "Refused"
  readonly _tag = "Refused"
  readonly code: number
  readonly data: JsonObject[string] | undefined

  constructor(code: number, message: string, data?: JsonObject[string]) {
    super(message)
    this.code = code
    this.data = data
  }

  override tell(): Told {
    const { code, message, data } = this
    return { failure: { _tag: "Chosen", code, message, ...(data !== undefined && { data }) } }
  }
}

/**
 * A failure that the client sees as a JSON-RPC error instead of a result. A code that its revision keeps to itself goes out as
 * `-32603`, and the report says so.
 *
 * ```ts
 * import { refused } from "@parley/server/effect"
 *
 * refused(-32602, "There is no such gift", { gift: 7 }).code // => -32602
 * ```
 */
export const refused = (code: number, message: string, data?: JsonObject[string]): Refused =>
  new Refused(code, message, data)
