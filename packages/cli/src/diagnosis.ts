/** What is off about a server, in words, and what to do about it. */
import type { JsonObject, Report } from "@parley/core"
import { announced, errorOf } from "@parley/core"
import { block, line } from "./clean.js"
import { DEEPEST, isTooDeep } from "./depth.js"
import type { Listed } from "./listed.js"
import { isDropped } from "./listed.js"
import { exits } from "./exits.js"
import { span } from "./page.js"
import type { Aftermath, Survey } from "./survey.js"
import { repeated, toolRemarks } from "./tool-remarks.js"
import type { Trouble } from "./trouble.js"

/** `wrong` breaks the protocol or does not work; `odd` works, and is probably not what was meant; `note` is good to know. */
export interface Remark {
  readonly weight: "wrong" | "odd" | "note"
  readonly text: string
}

export function diagnose(survey: Survey, after: Aftermath): ReadonlyArray<Remark> {
  return [
    ...ending(after),
    ...versions(survey),
    ...openings(survey, after),
    ...capabilities(survey, after.reports),
    ...lists(survey),
    ...(survey.tools._tag === "Listed" ? toolRemarks(survey.tools.items) : []),
    ...asides(after)
  ].slice(0, MANY)
}

/** More than that nobody reads. */
const MANY = 50

export const wrong = (text: string): Remark => ({ weight: "wrong", text })
export const odd = (text: string): Remark => ({ weight: "odd", text })
export const note = (text: string): Remark => ({ weight: "note", text })

function ending({ trouble, left }: Aftermath): ReadonlyArray<Remark> {
  if (trouble !== undefined) return [wrong(`The inspection ended early: ${trouble.message}`)]
  if (left?.signal === "SIGKILL")
    return [odd("It left neither at the end of its input nor on SIGTERM, and was killed.")]
  if (left?.signal === "SIGTERM" || left?.code === 143)
    return [note("It did not leave at the end of its input, and had to be ended by SIGTERM.")]
  if (left !== undefined && left.code !== 0 && left.code !== null)
    return [note(`It left with exit code ${left.code} at the end of its input; 0 says that all is well.`)]
  return []
}

function versions({ asked, revision, opening }: Survey): ReadonlyArray<Remark> {
  if (asked === revision) return []
  const proposals = opening.filter(({ from, what }) => from === "us" && what === "initialize").length
  const how =
    proposals > 1 ? `it refused and named others that it speaks, so ${revision} is in force` : `it answered ${revision}`
  return [note(`Asked for ${asked}, ${how}: what is newer than that is not used.`)]
}

function openings({ era }: Survey, { restarted }: Aftermath): ReadonlyArray<Remark> {
  if (restarted !== undefined) {
    const { did, how, anew } = restarted
    const cannot = did === "ended" ? "can not start it again" : "does not connect again"
    return [
      odd(
        `It ${did} on server/discover (${how}), and was ${anew}: an error is what it should answer to what it does not know. A client that ${cannot} does not come to see what it has.`
      )
    ]
  }
  const silent = era.tries.find(({ came, method }) => came === "silence" && method === "server/discover")
  if (silent === undefined) return []
  return [
    note(
      `It answered server/discover with nothing, so ${Math.round(silent.ms)} ms went by before initialize was tried: an error would have said the same at once.`
    )
  ]
}

function capabilities(survey: Survey, reports: ReadonlyArray<Report>): ReadonlyArray<Remark> {
  const declared = Object.keys(survey.capabilities)
  const misspelt = reports.flatMap((report) => (report._tag === "Agreed" ? report.wrong : []))
  const strange = declared.filter((name) => !Object.hasOwn(survey.understood, name) && !misspelt.includes(name))
  return [
    ...misspelt.map((name) =>
      wrong(
        `Capability ${line(name)} is of the wrong type, and counts as not declared: ${name.includes(".") ? "it is true or false" : "it is an object, an empty one if there is nothing to say"}.`
      )
    ),
    ...strange.map((name) => note(`Capability ${line(name)} is not in ${survey.revision}, and is not used.`)),
    ...(["tools", "resources", "prompts"].some((name) => announced(survey.understood, name))
      ? []
      : [
          odd(
            "It declares no tools, resources or prompts, so clients ask for none. What it has must be declared (--probe asks all the same)."
          )
        ])
  ]
}

function lists({ tools, resources, templates, prompts, understood }: Survey): ReadonlyArray<Remark> {
  const none = isEmpty(resources) && isEmpty(templates)
  return [
    ...ofList("tools", tools, isEmpty(tools)),
    ...ofList("resources", resources, none),
    ...ofList("resource templates", templates, false),
    ...ofList("prompts", prompts, isEmpty(prompts)),
    ...lasting("tools", tools, understood),
    ...lasting("resources", resources, understood),
    ...lasting("prompts", prompts, understood),
    ...twice("resource", resources, ({ uri }) => uri),
    ...twice("prompt", prompts, ({ name }) => name)
  ]
}

function ofList(what: string, list: Listed<unknown>, empty: boolean): ReadonlyArray<Remark> {
  switch (list._tag) {
    case "Undeclared":
      return undeclared(what, list.found)
    case "Failed":
      return [wrong(`The ${what} were declared, and can not be listed: ${list.trouble.message}${toDo(list.trouble)}`)]
    case "Listed":
      return [
        ...(list.cut === undefined ? [] : [wrong(`The ${what} are not shown to their end: ${list.cut}.`)]),
        ...(list.items.some(isTooDeep)
          ? [odd(`Something among the ${what} is nested deeper than ${DEEPEST} levels, and is cut there.`)]
          : []),
        ...list.dropped.map((why) => wrong(`One of the ${what} is malformed and was left out: ${line(why)}`)),
        ...(empty && list.dropped.length === 0 ? [odd(`It declares ${what}, and has none.`)] : [])
      ]
  }
}

/** What the person can do about it. */
const toDo = ({ code, remedy }: Trouble): string => (code === undefined || remedy === undefined ? "" : `; ${remedy}`)

// 2026-07-28 server/utilities/caching: a list is good for as long as the server says, or until it is said to have changed.
function lasting(what: string, list: Listed<unknown>, declared: JsonObject): ReadonlyArray<Remark> {
  if (list._tag !== "Listed" || (list.hints?.ttlMs ?? 0) <= 0 || announced(declared, `${what}.listChanged`)) return []
  return [
    note(
      `Clients may keep its ${what} for ${span(list.hints!.ttlMs)}, and are not told of a change before that: it does not declare ${what}.listChanged.`
    )
  ]
}

function undeclared(what: string, found: number | undefined): ReadonlyArray<Remark> {
  if (found === undefined) return []
  if (found === 0) return [note(`A list of ${what} was answered, with nothing on it, though it was not declared.`)]
  return [
    wrong(
      `${what[0]!.toUpperCase()}${what.slice(1)} were answered (${found}) that were not declared: clients will not ask for them. Declare the capability.`
    )
  ]
}

function twice<A>(what: string, list: Listed<A>, key: (item: A) => string): ReadonlyArray<Remark> {
  if (list._tag !== "Listed") return []
  return repeated(list.items.map(key)).map((one) => wrong(`There are several ${what}s called ${line(one)}.`))
}

function asides({ reports, stray }: Aftermath): ReadonlyArray<Remark> {
  const strays =
    stray.count === 0
      ? []
      : [
          wrong(
            `${stray.count} ${stray.count === 1 ? "line" : "lines"} on its stdout ${stray.count === 1 ? "was" : "were"} no JSON: stdout is for messages, logs belong on stderr. ${stray.count === 1 ? "It said" : "The first"}: ${JSON.stringify(stray.first[0])}`
          )
        ]
  return [...strays, ...[...new Set(reports.flatMap(reported))].map(wrong)].slice(0, 20)
}

function reported(report: Report): ReadonlyArray<string> {
  switch (report._tag) {
    case "Refused":
      return [
        `It sent ${report.method === undefined ? "a message" : line(report.method)}, which was refused: ${block(errorOf(report.failure).message)}.`
      ]
    case "Ignored":
      // What was no JSON is told by the transcript, with its text.
      if (isDropped(report) || report.why.startsWith("something that is not JSON")) return []
      return [
        `It sent ${report.method === undefined ? "a message" : line(report.method)}, which was ignored: ${line(report.why)}.`
      ]
    case "Agreed":
    case "Cancelled":
    case "Unsendable":
      return []
  }
}

const isEmpty = (list: Listed<unknown>): boolean => list._tag === "Listed" && list.items.length === 0

/** How the inspection went, as an exit code. */
export function exitOf({ tools, resources, templates, prompts }: Survey, { trouble }: Aftermath): number {
  if (trouble !== undefined) return exits[trouble.exit][0]
  const lists = [tools, resources, templates, prompts]
  const failed = lists.find((list) => list._tag === "Failed")
  if (failed?._tag === "Failed") return exits[failed.trouble.exit][0]
  return lists.some((list) => list._tag === "Listed" && list.cut !== undefined) ? exits.refused[0] : exits.fine[0]
}
