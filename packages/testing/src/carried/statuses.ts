/** With which status HTTP says what: the table of docs/http.md. */
import type { Json } from "@parley/core"
import { codeOf, fields, own, reading } from "../envelope.js"

/** Whether a message may have come with that status. `wrong`: what was wrong on purpose with what it answers. */
export function isStatus(
  status: number,
  said: Json,
  to: Json,
  enveloped: boolean,
  wrong: "envelope" | undefined
): boolean {
  const code = codeOf(fields(said))
  return status === (code === undefined ? 200 : enveloped ? perRequest(code, wrong) : inSession(said, to))
}

/** 2026-07-28: 404 for a method that is not there, 400 for what is wrong with the message, 200 for what is wrong with what it asks for. */
function perRequest(code: unknown, wrong: "envelope" | undefined): number {
  if (code === -32601) return 404
  if (code === -32602) return wrong === "envelope" ? 400 : 200
  return refusals.has(code) ? 400 : 200
}

const refusals = new Set<unknown>([-32700, -32600, -32020, -32021, -32022])

/** Before it: 400 for what is no message at all. */
const inSession = (said: Json, to: Json): number =>
  own(said, "id") === undefined || (!Array.isArray(to) && reading(to).kind === "garbage") ? 400 : 200
