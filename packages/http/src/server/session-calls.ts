/** The handlers of one session that run in this process. */
import type { RequestId } from "@parley/core"
import { errorOf } from "@parley/core"
import type { Input, Output } from "@parley/core/server"

export class Calls {
  readonly #ids = new Map<number, RequestId>()

  get size(): number {
    return this.#ids.size
  }

  began(outputs: ReadonlyArray<Output>): void {
    for (const output of outputs) if (output._tag === "Invoke") this.#ids.set(output.call, output.id)
  }

  /** What came may be the end of a run. */
  ended(input: Input): void {
    if (isLast(input)) this.#ids.delete(input.call)
  }

  /** Whether it ran here; it is not counted any more. */
  delete(call: number): boolean {
    return this.#ids.delete(call)
  }

  /** All of them, none of which is counted any more. */
  take(): ReadonlyArray<readonly [call: number, id: RequestId]> {
    const all = [...this.#ids]
    this.#ids.clear()
    return all
  }
}

/** Whether it ends a run of a handler. */
export const isLast = (input: Input): input is Extract<Input, { readonly _tag: keyof typeof ends }> =>
  input._tag in ends

const ends = { Succeeded: true, Failed: true, ArgumentsRefused: true, NeedsInput: true }

export const stopping = "the server is stopping"

/** A run that this process has no more time for; the words are those of a machine that stops. */
export const stopped = (call: number, id: RequestId): Input => ({
  _tag: "Failed",
  call,
  id,
  failure: Object.assign({ _tag: "Chosen" } as const, errorOf({ _tag: "Stopping" }))
})
