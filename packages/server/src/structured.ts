/** A structured result with words of its own beside it. */
import type { ContentBlock } from "@parley/core"

export class Structured<A> {
  readonly value: A
  /** Not named as in a result, of which this is none. */
  readonly told: ReadonlyArray<ContentBlock>

  constructor(value: A, told: ReadonlyArray<ContentBlock>) {
    this.value = value
    this.told = told
  }
}

/**
 * What a tool with an `output` may return when the value as JSON is not what the model should read. Clients before
 * 2025-06-18 get the content only.
 *
 * ```ts
 * import { structured } from "@parley/server"
 *
 * structured({ sum: 5 }, "The sum is five.").told // => [{ type: "text", text: "The sum is five." }]
 * ```
 */
export const structured = <A>(value: A, content: string | ContentBlock | ReadonlyArray<ContentBlock>): Structured<A> =>
  new Structured(value, blocks(content))

function blocks(content: string | ContentBlock | ReadonlyArray<ContentBlock>): ReadonlyArray<ContentBlock> {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return Array.isArray(content) ? (content as ReadonlyArray<ContentBlock>) : [content as ContentBlock]
}
