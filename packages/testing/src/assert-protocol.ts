/** Holds a server or a client to every invariant, over conversations drawn at random. */
import type { Definition } from "@parley/core"
import type { ClientDefinition, ClientMachineOptions } from "@parley/core/client"
import type { ServerMachineOptions } from "@parley/core/server"
import * as fc from "fast-check"
import type { Drawn } from "./conversation.js"
import { clientConversation, serverConversation } from "./conversation.js"
import type { Violation } from "./invariant.js"
import { invariants } from "./invariants.js"
import type { Run } from "./run.js"
import { transcript } from "./transcript.js"

export interface ConversationOptions {
  /** How many conversations. Default 200. */
  readonly runs?: number
  /** The seed a failure printed, to see it again. */
  readonly seed?: number
  /** Inputs of a conversation after its opening, at most. Default 40. */
  readonly length?: number
  /** How long it may take, in ms; when that was not enough for all conversations, it fails and says so. Default 60,000. */
  readonly timeLimitMs?: number
}

export interface ServerSubject {
  readonly definition: Definition
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
 * assertProtocol(calculator, { runs: 20 })
 * ```
 * @throws Error with the number, the sentence, the seed and the shortest transcript found, when an invariant is broken;
 * Error with how many conversations there were, when the time did not suffice for all of them
 */
export function assertProtocol(
  subject: ServerSubject,
  options: ConversationOptions & { readonly machine?: ServerMachineOptions } = {}
): void {
  held(options, (drawn) => serverConversation(subject.definition, drawn, options.machine))
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
 * @throws Error as `assertProtocol` does
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
export function brokenBy(run: Run): (Violation & { readonly number: number; readonly name: string }) | undefined {
  for (const { number, name, check } of invariants) {
    const violation = check(run)
    if (violation !== undefined) return { number, name, at: violation.at, why: violation.why }
  }
  return undefined
}

const numbers = fc.array(fc.noBias(fc.nat(0xffff)), { maxLength: 40, size: "max" })

function held(
  { runs = 200, seed = Date.now() | 0, length = 40, timeLimitMs = 60_000 }: ConversationOptions,
  live: (drawn: Drawn) => Run
): void {
  const property = fc.property(conversations(length), (drawn) => brokenBy(live(drawn)) === undefined)
  const limit = { interruptAfterTimeLimit: timeLimitMs, markInterruptAsFailure: true }
  const found = fc.check(property, { numRuns: runs, seed, ...limit })
  if (!found.failed) return
  if (found.counterexample === null)
    throw new Error(`Only ${found.numRuns} of ${runs} conversations could be had within ${timeLimitMs} ms.`)
  const run = live(found.counterexample[0])
  const broken = brokenBy(run)
  if (broken === undefined) throw new Error(`The conversation of seed ${seed} went otherwise when it was repeated.`)
  throw new Error(
    `Invariant ${broken.number} is broken: ${broken.name}\n${broken.why}\n\n${transcript(run, broken)}\n\nSee it again with { seed: ${seed} }.`
  )
}
