/** A session whose state is kept elsewhere, step by step, so that another process goes on where this one was killed. */
import type { Json } from "@parley/core"
import type { ServerMachine, ServerState } from "@parley/core/server"

export interface KeptSession {
  /** What `keep` was given last, as JSON has it; nothing for a session that begins. */
  readonly state?: unknown
  /**
   * Keeps the state: called after each step that changed it, and before anything is sent or run that follows from it. When it
   * throws, none of that is done: the session ends here, and another process may go on from what was kept before. It keeps
   * at once, by a synchronous write: a promise is no word that it has, and ends the session as an error does.
   */
  readonly keep: (state: Json) => void
}

/** The same machine, of which no step is done that is not kept. */
export const keeping = (
  machine: ServerMachine,
  session: KeptSession,
  lost: (error: unknown) => void
): ServerMachine => ({
  initial: machine.initial,
  step: (state, input) => {
    const stepped = machine.step(state, input)
    try {
      if (stepped[0] !== state) keptAtOnce(session.keep(machine.encode(stepped[0])))
      return stepped
    } catch (error) {
      lost(error)
      return machine.step(state, { _tag: "PeerClosed" })
    }
  },
  encode: machine.encode,
  decode: machine.decode
})

/** What a promise comes to is learned too late, and must not end the process. */
function keptAtOnce(kept: unknown): void {
  if (typeof (kept as { readonly then?: unknown } | null | undefined)?.then !== "function") return
  Promise.resolve(kept).catch(() => undefined)
  throw new TypeError(
    "keep must be synchronous: it returned a promise, and what follows from a state waits for nothing"
  )
}

/**
 * The state to go on from; nothing when a session begins, also because the kept one had come to its end.
 * @throws TypeError for what is no state, or one of a server that announced something else, and where nothing keeps it
 */
export function resumed(machine: ServerMachine, { state, keep }: KeptSession): ServerState | undefined {
  if (typeof keep !== "function") throw new TypeError("serve needs a function for session.keep")
  if (state === undefined) return undefined
  const decoded = machine.decode(state)
  if (!decoded.ok) throw new TypeError(refused[decoded.error])
  return decoded.value.phase._tag === "Closed" ? undefined : decoded.value
}

const refused = {
  malformed: "The kept session can not be read: it is no state of a server's session",
  stale:
    "The kept session is stale: since it was opened the server's name, version, revisions, instructions or capabilities have changed, and its client was told of the former"
}
