/** Sixteen characters that stand for a JSON value: equal values have equal digests, and the other way round for all practical purposes. */
import type { Json } from "./json.js"
import { hashOf } from "./trie.js"

export function digestOf(json: Json): string {
  const text = JSON.stringify(json)
  return half(text, 0x811c9dc5) + half(text, 0x9747b28c)
}

const half = (text: string, salt: number): string => (hashOf(text, salt) >>> 0).toString(16).padStart(8, "0")
