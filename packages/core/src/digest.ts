/** Sixteen characters that stand for a JSON value: equal values have equal digests, and the other way round for all practical purposes. */
import type { Json } from "./json.js"

export function digestOf(json: Json): string {
  const text = JSON.stringify(json)
  return half(text, 0x811c9dc5) + half(text, 0x9747b28c)
}

function half(text: string, basis: number): string {
  let hash = basis
  for (let i = 0; i < text.length; i++) {
    hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
    hash ^= hash >>> 15
  }
  return (hash >>> 0).toString(16).padStart(8, "0")
}
