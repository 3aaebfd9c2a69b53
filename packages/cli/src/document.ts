/** A server as one JSON document, for programs. */
import type { Remark } from "./diagnosis.js"
import { exits } from "./exits.js"
import type { Listed } from "./listed.js"
import { isSocket, spelledOut } from "./server-at.js"
import type { Aftermath, Survey } from "./survey.js"
import type { Entry, Transcript } from "./transcript.js"
import type { Trouble } from "./trouble.js"
import type { Exchanged } from "./web.js"
import { transportOf } from "./web.js"

export const documentOf = (survey: Survey, after: Aftermath, remarks: ReadonlyArray<Remark>): object => ({
  ...(survey.at._tag === "Command"
    ? { command: spelledOut(survey.at) }
    : {
        url: spelledOut(survey.at),
        transport: isSocket(survey.at) ? { name: "WebSocket" } : transportOf(survey.web),
        exchanges: survey.web.map(exchangeOf)
      }),
  version: { asked: survey.asked, inForce: survey.revision },
  era: { opening: survey.era.opening, how: survey.era.how, startedAgain: after.restarted !== undefined },
  server: survey.server,
  instructions: survey.instructions,
  capabilities: survey.capabilities,
  openedMs: rounded(survey.openedMs),
  opening: survey.opening.map(entryOf),
  tools: listOf(survey.tools),
  resources: listOf(survey.resources),
  resourceTemplates: listOf(survey.templates),
  prompts: listOf(survey.prompts),
  remarks,
  stray: after.stray,
  stderr: after.stderr,
  left: after.left
})

/** What is printed instead of a result. */
export const failureOf = (
  { exit, kind = exit, message, remedy, code, data }: Trouble,
  seen?: Transcript,
  web?: ReadonlyArray<Exchanged>
): object => ({
  error: { kind, exitCode: exits[exit][0], message, remedy, code, data },
  ...(web !== undefined && { exchanges: web.map(exchangeOf) }),
  ...(seen !== undefined && { messages: seen.entries.map(entryOf), stray: seen.stray })
})

function listOf(list: Listed<unknown>): object {
  switch (list._tag) {
    case "Undeclared":
      return { declared: false, ...(list.found !== undefined && { answeredAllTheSame: list.found }) }
    case "Failed":
      return { declared: true, ms: rounded(list.ms), ...failureOf(list.trouble) }
    case "Listed":
      return {
        declared: true,
        ms: rounded(list.ms),
        items: list.items,
        cut: list.cut,
        dropped: list.dropped,
        ...list.hints
      }
  }
}

const exchangeOf = ({ at, verb, about, path, status, type, challenge, session, took, failure }: Exchanged): object => ({
  atMs: rounded(at),
  ...(took !== undefined && { tookMs: rounded(took) }),
  verb,
  about,
  ...(path !== undefined && { path }),
  ...(status !== undefined && { status }),
  ...(type !== undefined && { type }),
  ...(challenge !== undefined && { challenge }),
  ...(session && { session }),
  ...(failure !== undefined && { failure })
})

const entryOf = ({ at, from, took, message }: Entry): object => ({
  atMs: rounded(at),
  from: from === "us" ? "client" : "server",
  ...(took !== undefined && { tookMs: rounded(took) }),
  message
})

const rounded = (ms: number): number => Math.round(ms * 10) / 10
