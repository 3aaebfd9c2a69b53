/** The invariants as values: each a sentence that every run of either machine keeps. */
import type { Invariant } from "./invariant.js"
import { invariant } from "./invariant.js"
import type { Judge } from "./judge.js"
import { wire } from "./judge.js"
import { answersAllDeclared, asksOnlyDeclared, clientIdsKept, settlesOnce } from "./laws/client-laws.js"
import { clientLivingThings, clientOpensFirst, clientVersionsAgree } from "./laws/client-session.js"
import { clientTellsWhatWasWanted, serverTellsWhatWasWanted } from "./laws/notifications.js"
import { alone, pure } from "./laws/pure.js"
import { clientSendsDeclared, serverSendsDeclared } from "./laws/sends-declared.js"
import { allDeclared, onlyDeclared } from "./laws/server-declared.js"
import { livingThings } from "./laws/server-endings.js"
import { openingFirst, versionsAgree } from "./laws/server-opening.js"
import { idsKept, oneReply } from "./laws/server-replies.js"
import { clientValid, serverValid } from "./laws/valid-messages.js"

/**
 * What every run keeps, whatever the other side sends, with judges of your own for the eighth.
 *
 * ```ts
 * import { wire } from "@parley/testing"
 *
 * invariantsJudgedBy([wire]).map(({ number }) => number) // => [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]
 * ```
 */
export const invariantsJudgedBy = (judges: ReadonlyArray<Judge>): ReadonlyArray<Invariant> => [
  invariant(1, "No undeclared method ever succeeds, nor reaches a handler.", onlyDeclared, asksOnlyDeclared),
  invariant(
    2,
    'No declared method is ever answered "method not found"; one that needs what its client did not declare is refused by the error that names it.',
    allDeclared,
    answersAllDeclared
  ),
  invariant(
    3,
    "Every request gets at most one reply, exactly one once its handler has finished, none after cancellation by its requester; notifications get none.",
    oneReply,
    settlesOnce
  ),
  invariant(
    4,
    "An id in use is refused and its first request is unaffected; reply ids equal request ids in value and type.",
    idsKept,
    clientIdsKept
  ),
  invariant(
    5,
    "Before the handshake is done only what its table allows succeeds, and the server speaks only when spoken to.",
    openingFirst,
    clientOpensFirst
  ),
  invariant(
    6,
    "The version in force is one both sides speak; if the requested one is spoken, it is that one; a request that names its version is served by that, for the client that it names.",
    versionsAgree,
    clientVersionsAgree
  ),
  invariant(
    7,
    "Neither side ever sends what the other did not declare; since 2026-07-28 the server sends no requests at all.",
    serverSendsDeclared,
    clientSendsDeclared
  ),
  invariant(8, "Every message sent is valid under the revision in force.", serverValid(judges), clientValid(judges)),
  invariant(
    9,
    "Progress only for a live token, increasing, never after the reply; logs only at the asked level; list_changed if declared, and only then; resource updates if subscribed, and only then; a stream is acknowledged first, and told what it asked for and nothing else.",
    serverTellsWhatWasWanted,
    clientTellsWhatWasWanted
  ),
  invariant(
    10,
    "Timers, interrupts and seals refer to live things; what is sealed opens for its own request and user only; nothing is sent after Close; every message answers by the via it came by.",
    livingThings,
    clientLivingThings
  ),
  invariant(
    11,
    "step is total, deterministic and leaves its arguments alone, and decode(encode(state)) behaves the same at any point.",
    pure,
    pure
  ),
  invariant(12, "Two sessions interleaved behave as each would alone.", alone, alone)
]

/** What every run keeps. Numbers are those of the project's list of invariants. */
export const invariants: ReadonlyArray<Invariant> = invariantsJudgedBy([wire])
