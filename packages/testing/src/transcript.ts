/** A run as a person reads it: what came in, what went out, and where the conversation was after it. */
import type { Violation } from "./invariant.js"
import type { Run } from "./run.js"

/**
 * Lines of `-> what came in`, `<- what went out`, with the phase in between; the step that is wrong is marked.
 *
 * ```ts
 * import { defineServer } from "@parley/server"
 * import { recordServer } from "@parley/testing"
 *
 * const { definition } = defineServer({ name: "calculator", version: "1.0.0" }, [])
 * const ping = { jsonrpc: "2.0", id: 1, method: "ping" }
 * const text = transcript(recordServer(definition, [{ _tag: "Received", json: ping, via: "a" }]))
 * text.split("\n")[1] // => '-> {"jsonrpc":"2.0","id":1,"method":"ping"}'
 * ```
 */
export function transcript(run: Run, violation?: Violation): string {
  const lines = [`   ${phaseOf(run.machine.initial)}`]
  let phase = lines[0]
  run.steps.forEach(({ input, outputs, after, threw }, at) => {
    lines.push(...inward(input))
    for (const output of outputs) if (output._tag !== "Report") lines.push(...outward(output))
    if (threw !== undefined) lines.push(` ! step threw: ${String(threw)}`)
    if (violation?.at === at) lines.push(`!! ${violation.why}`)
    const now = `   ${phaseOf(after)}`
    if (now !== phase) lines.push((phase = now))
  })
  return lines.join("\n")
}

interface Tagged {
  readonly _tag: string
}

function inward(input: Tagged): ReadonlyArray<string> {
  if (!("json" in input)) return [` > ${told(input)}`]
  return [`-> ${text(input.json)}`]
}

function outward(output: Tagged): ReadonlyArray<string> {
  if (!("message" in output) || output._tag !== "Send") return [` < ${told(output)}`]
  return [`<- ${text(output.message)}`]
}

function told({ _tag, ...rest }: Tagged): string {
  const said = text(rest)
  return said === "{}" ? _tag : `${_tag} ${said}`
}

function text(value: unknown): string {
  const json = JSON.stringify(value) ?? "undefined"
  return json.length > 400 ? `${json.slice(0, 380)}... (${json.length} characters)` : json
}

function phaseOf(state: { readonly phase: Tagged & { readonly peer?: { readonly revision: string } } }): string {
  const { _tag, peer } = state.phase
  return peer === undefined ? `(${_tag})` : `(${_tag}, ${peer.revision})`
}
