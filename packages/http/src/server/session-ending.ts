/** How those who wait learn that there will be no answer, whichever process holds their exchange. */
import type { RequestId } from "@parley/core"
import type { Output, ServerState } from "@parley/core/server"
import { lastWords } from "./session-admission.js"
import { Session } from "./session.js"

export abstract class EndingSession extends Session {
  /** What was withdrawn is not answered: whoever holds its exchange is told that it has ended. */
  protected endWithdrawn(before: ServerState, outputs: ReadonlyArray<Output>): void {
    const left = new Set(this.underWay().map(({ via }) => via))
    for (const output of outputs) if (output._tag === "Send" && output.last) left.add(output.via!)
    for (const via of new Set(this.underWay(before).map((one) => one.via)))
      if (!left.has(via)) this.#endVia(via, "withdrawn")
  }

  /** What was withdrawn in another process, before there was a stream by which that could be told here. */
  protected endStray(): void {
    if (this.outlets === undefined) return
    const left = new Set(this.underWay().map(({ via }) => via))
    for (const [via, outlet] of this.outlets) if (!outlet.reads && !left.has(via)) outlet.end("withdrawn")
  }

  #endVia(via: string, why: "gone" | "withdrawn", id?: RequestId): void {
    const outlet = this.outlets?.get(via)
    if (outlet === undefined) this.elsewhere(via, lastWords(why, id), true)
    else outlet.end(why)
  }

  /** All of it has ended; `outward` is its own stream, whoever holds that. */
  protected endAll(before: ServerState, outward: string | undefined): void {
    // Of a batch its members have an id each, and the whole has none.
    const all = new Map(this.underWay(before).map(({ via, id }) => [via, id]))
    for (const [via, id] of all) this.#endVia(via, "gone", id)
    if (outward !== undefined && this.outward === undefined) this.elsewhere(outward, "", true)
  }
}
