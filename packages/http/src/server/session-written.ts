/** A session as text, for a store that several processes share. */
import type { ServerMachine, ServerState } from "@parley/core/server"
import type { Wrong } from "./session-admission.js"

export interface Written {
  readonly state: ServerState
  readonly principal: string | undefined
  /** The session's own stream, if its client has asked for one. */
  readonly outward: string | undefined
}

/** What came of a step. `answered`: whoever asked was let in no further, and told why. */
export type Came = Wrong | "done" | "answered"

/** Whether what was read lets them in who ask; if not, what is to be said. */
export type Admit = (written: Written) => Wrong | "answered" | undefined

/** What is to be written, if something is, and done when it is written. */
export interface Decided {
  readonly next: Written | undefined
  readonly act: () => void
}

export const write = (machine: ServerMachine, { state, principal, outward }: Written): string =>
  JSON.stringify({ state: machine.encode(state), principal, outward })

/** Nothing for what can not be read, has come to its end, or was announced otherwise: its client opens another. */
export function read(machine: ServerMachine, text: string): Written | undefined {
  try {
    const { state, principal, outward } = JSON.parse(text) as Record<string, unknown>
    const decoded = machine.decode(state)
    if (!decoded.ok || decoded.value.phase._tag === "Closed") return undefined
    if (!isName(principal) || !isName(outward)) return undefined
    return { state: decoded.value, principal, outward }
  } catch {
    return undefined
  }
}

const isName = (value: unknown): value is string | undefined => value === undefined || typeof value === "string"
