/** Holds a server or a client to every invariant, over conversations drawn at random. */
import type { Definition } from "@parley/core"
import type { ClientDefinition, ClientMachineOptions } from "@parley/core/client"
import type { ServerMachineOptions } from "@parley/core/server"
import * as fc from "fast-check"
import type { Drawn } from "./conversation.js"
import { clientConversation, serverConversation } from "./conversation.js"
import type { Invariant, Violation } from "./invariant.js"
import { invariants, invariantsJudgedBy } from "./invariants.js"
import type { Judge } from "./judge.js"
import type { Run } from "./run.js"
import { transcript } from "./transcript.js"

export interface ConversationOptions {
  /** How many conversations. Default 200. */
  readonly runs?: number
  /** The seed a failure printed, to see it again. */
  readonly seed?: number
  /** Inputs of a conversation after its opening, at most. Default 40. */
  readonly length?: number
  /** Who judges the messages that are sent. `wire` by default. */
  readonly judges?: ReadonlyArray<Judge>
  /** How long it may take, in ms; when that was not enough for all conversations, it fails and says so. Default 60,000. */
  readonly timeLimitMs?: number
}

/** A server as `defineServer` makes it, or just what it is. */
export interface ServerSubject {
  readonly definition: Definition
  /** Waited for, when there is one. */
  readonly ready?: Promise<unknown>
}

/** A server that changes while it serves, as `live` makes it: the one that it is now is meant. */
export interface LiveSubject {
  readonly server: ServerSubject
}

export interface ClientSubject {
  readonly definition: ClientDefinition
}

/**
 * Draws conversations for the server machine of the definition, well-formed and hostile ones, and holds each to every
 * invariant. No handler of yours runs: what handlers answer is drawn too.
 *
 * ```ts
 * import { defineServer } from "@parley/server"
 *
 * const calculator = defineServer({ name: "calculator", version: "1.0.0" }, [])
 * await assertProtocol(calculator, { runs: 20 })
 * ```
 * Rejects with the number of the invariant, its sentence, the seed and the shortest transcript found, when one is broken; with
 * how many conversations there were, when the time did not suffice for all of them.
 */
export async function assertProtocol(
  subject: ServerSubject | LiveSubject,
  options: ConversationOptions & { readonly machine?: ServerMachineOptions } = {}
): Promise<void> {
  const server = "server" in subject ? subject.server : subject
  await server.ready
  held(options, (drawn) => serverConversation(server.definition, drawn, options.machine))
}

/**
 * The same for a client: what it is, as data, and a server that says anything.
 *
 * ```ts
 * import { handshakeRevisions } from "@parley/core/revisions"
 *
 * const definition = { info: { name: "demo", version: "1.0.0" }, capabilities: {}, revisions: handshakeRevisions }
 * assertClientProtocol({ definition }, { runs: 20 })
 * ```
 * @throws Error with what `assertProtocol` rejects with
 */
export function assertClientProtocol(
  subject: ClientSubject,
  options: ConversationOptions & { readonly machine?: ClientMachineOptions } = {}
): void {
  held(options, (drawn) => clientConversation(subject.definition, drawn, options.machine))
}

/**
 * Every conversation that can be drawn, for properties of your own.
 *
 * ```ts
 * import { defineServer } from "@parley/server"
 * import { serverConversation } from "@parley/testing"
 * import * as fc from "fast-check"
 *
 * const { definition } = defineServer({ name: "calculator", version: "1.0.0" }, [])
 * const quiet = fc.property(conversations(), (drawn) => {
 *   const { steps } = serverConversation(definition, drawn)
 *   return steps.every(({ outputs }) => outputs.every(({ _tag }) => _tag !== "Invoke"))
 * })
 * fc.assert(quiet, { numRuns: 20 })
 * ```
 */
export const conversations = (length = 40): fc.Arbitrary<Drawn> =>
  fc.record({ opening: numbers, moves: fc.array(numbers, { maxLength: length, size: "max" }) })

/** The first invariant that the run broke. */
export function brokenBy(
  run: Run,
  held: ReadonlyArray<Invariant> = invariants
): (Violation & { readonly number: number; readonly name: string }) | undefined {
  for (const { number, name, check } of held) {
    const violation = check(run)
    if (violation !== undefined) return { number, name, at: violation.at, why: violation.why }
  }
  return undefined
}

const numbers = fc.array(fc.noBias(fc.nat(0xffff)), { maxLength: 40, size: "max" })

function held(
  { runs = 200, seed = Date.now() | 0, length = 40, judges, timeLimitMs = 60_000 }: ConversationOptions,
  live: (drawn: Drawn) => Run
): void {
  const all = judges === undefined ? invariants : invariantsJudgedBy(judges)
  const property = fc.property(conversations(length), (drawn) => brokenBy(live(drawn), all) === undefined)
  const limit = { interruptAfterTimeLimit: timeLimitMs, markInterruptAsFailure: true }
  const found = fc.check(property, { numRuns: runs, seed, ...limit })
  if (!found.failed) return
  if (found.counterexample === null)
    throw new Error(`Only ${found.numRuns} of ${runs} conversations could be had within ${timeLimitMs} ms.`)
  const run = live(found.counterexample[0])
  const broken = brokenBy(run, all)
  if (broken === undefined) throw new Error(`The conversation of seed ${seed} went otherwise when it was repeated.`)
  throw new Error(
    `Invariant ${broken.number} is broken: ${broken.name}\n${broken.why}\n\n${transcript(run, broken)}\n\nSee it again with { seed: ${seed} }.`
  )
}
