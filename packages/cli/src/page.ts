/** A server on one page. */
import type { JsonObject } from "@parley/core"
import { brief, line } from "./clean.js"
import type { Remark } from "./diagnosis.js"
import { promptPage, resourcePage, templatePage } from "./item-page.js"
import type { Part } from "./layout.js"
import { clip, flow, pad, shorten, widthOf, wrap } from "./layout.js"
import type { Listed } from "./listed.js"
import type { Look } from "./paint.js"
import { isRecord } from "./schema.js"
import { isSocket, spelledOut } from "./server-at.js"
import type { Survey } from "./survey.js"
import { prose, toolPage } from "./tool-page.js"
import type { Entry } from "./transcript.js"
import type { Exchanged } from "./web.js"
import { exchangeInWords, transportOf } from "./web.js"

export function page(survey: Survey, remarks: ReadonlyArray<Remark>, look: Look): string {
  return [
    ...head(survey, remarks, look),
    ...section("Opening", [], [...foundPage(survey, look), ...wirePage(survey.opening, look)], look),
    ...(survey.instructions === undefined
      ? []
      : section("Instructions", [], prose(survey.instructions, look, 2, 12), look)),
    ...section("Capabilities", [], capabilityPage(survey, look), look),
    ...listPage("Tools", survey.tools, toolPage, true, look),
    ...listPage("Resources", survey.resources, resourcePage, false, look),
    ...listPage("Resource templates", survey.templates, templatePage, false, look),
    ...listPage("Prompts", survey.prompts, promptPage, true, look),
    ...remarkPage(remarks, look)
  ].join("\n")
}

function head({ server, at, asked, revision, era, openedMs }: Survey, remarks: ReadonlyArray<Remark>, look: Look) {
  const { paint, width } = look
  const { name, title, version, description, websiteUrl } = server
  const called = title === undefined ? brief(name) : `${brief(title)} (${brief(name)})`
  const way = era.opening === "handshake" ? "initialize" : "server/discover"
  const told = `speaks ${revision}, opened by ${way}${asked === revision ? "" : `; asked for ${asked}`}`
  const serious = remarks.filter(({ weight }) => weight !== "note").length
  const verdict =
    serious === 0
      ? { text: "nothing looks off", paint: paint.good }
      : { text: `${serious === 1 ? "one thing looks" : `${serious} things look`} off, see the end`, paint: paint.odd }
  const facts = `${told} · open in ${ms(openedMs)}`
  return [
    `${paint.strong(shorten(called, width - 20))} ${shorten(brief(version), 18)}`,
    ...prose(typeof description === "string" ? description : undefined, look, 0, 3),
    ...(typeof websiteUrl === "string" ? [paint.faint(shorten(line(websiteUrl), width))] : []),
    paint.faint(shorten(`${at._tag === "Command" ? "started by" : "reached at"} ${line(spelledOut(at))}`, width)),
    ...(widthOf(facts) <= width
      ? flow([plain(facts), verdict], " · ", width)
      : [...wrap(facts, width), verdict.paint(verdict.text)])
  ]
}

const plain = (text: string): Part => ({ text, paint: (text) => text })

/** Where it took more than one try. */
const foundPage = ({ at, era, web }: Survey, { paint, width }: Look): ReadonlyArray<string> =>
  [
    ...(era.tries.length < 2 ? [] : [`It ${era.how}.`]),
    ...(isSocket(at) ? ["It speaks WebSocket."] : webPage(web))
  ].flatMap((text) => wrap(text, width - 2).map((part) => paint.faint(`  ${part}`)))

/** Which kind of HTTP it is, and which statuses came. */
function webPage(web: ReadonlyArray<Exchanged>): ReadonlyArray<string> {
  const transport = transportOf(web)
  if (transport === undefined) return []
  const kind = transport.name === "HTTP+SSE" ? "HTTP+SSE, which is deprecated" : transport.name
  const session = transport.name === "HTTP+SSE" ? "" : transport.session ? ", with a session" : ", without a session"
  const came = web.map((one) => line(exchangeInWords(one))).join("; ")
  return [`It speaks ${kind}${session}. ${came}.`]
}

/** Both directions, with the time of each message. */
export function wirePage(entries: ReadonlyArray<Entry>, { paint, width, full }: Look): ReadonlyArray<string> {
  const most = 20
  const shown = entries.slice(0, most)
  const times = shown.map(({ at }) => ms(at))
  const column = Math.max(0, ...times.map((time) => time.length))
  const names = Math.min(36, width - column - 6, Math.max(0, ...shown.map(({ what }) => widthOf(what))))
  const lines = shown.flatMap(({ from, what, detail }, at) => {
    const begin = `  ${times[at]!.padStart(column)}  `
    const name = pad(shorten(what, names), names)
    const beside = begin.length + names + 4
    const below = width - beside < READABLE
    const indent = below ? 6 : beside
    const lines = clip(wrap(detail, width - indent), full ? Number.POSITIVE_INFINITY : 3, width - indent)
    const [first = "", ...rest] = below && detail !== "" ? ["", ...lines] : lines
    const colour = what === "error" ? paint.bad : paint.strong
    return [
      `${paint.faint(begin)}${from === "us" ? paint.good("→") : paint.name("←")} ${colour(name)}  ${first}`.trimEnd(),
      ...rest.map((text) => " ".repeat(indent) + text)
    ]
  })
  return entries.length > most
    ? [...lines, paint.faint(`  … ${entries.length - most} more messages, shown with --verbose`)]
    : lines
}

function capabilityPage({ capabilities, understood, revision }: Survey, { paint, width }: Look): ReadonlyArray<string> {
  const names = Object.keys(capabilities).slice(0, MANY)
  const column = Math.min(30, width - 20, Math.max(0, ...names.map((name) => widthOf(line(name)))))
  const declared = names.flatMap((name) => {
    const known = name in understood
    const strange = isRecord(capabilities[name]) ? `not in ${revision}` : "of the wrong type: not declared"
    const flags = isRecord(capabilities[name]) ? flagsOf(capabilities[name]).join(", ") : ""
    const words = known ? flags || "declared" : `${flags} (${strange})`.trim()
    const [first = "", ...rest] = clip(wrap(words, width - column - 4), 4, width - column - 4)
    const colour = known ? paint.faint : paint.odd
    const begin = `  ${paint.name(pad(shorten(line(name), column), column))}`
    return [
      first === "" ? begin.trimEnd() : `${begin}  ${colour(first)}`,
      ...rest.map((text) => " ".repeat(column + 4) + text)
    ]
  })
  const missing = features.filter((name) => !names.includes(name))
  const undeclared = wrap(`not declared: ${missing.join(", ")}`, width - 2).map((text) => paint.faint(`  ${text}`))
  return missing.length === 0 ? declared : [...declared, ...undeclared]
}

const features = ["tools", "resources", "prompts", "completions", "logging"]

/** `listChanged`, `no subscribe`, `requests.tools.call`. */
const flagsOf = (capability: JsonObject, path = ""): ReadonlyArray<string> =>
  Object.entries(capability).flatMap(([name, flag]) => {
    const at = path + line(name)
    if (flag === false) return [`no ${at}`]
    if (!isRecord(flag) || Object.keys(flag).length === 0 || path.length > 60)
      return [flag === true || isRecord(flag) ? at : `${at} ${brief(flag)}`]
    return flagsOf(flag, `${at}.`)
  })

/** With less room than that beside them, words stand below. */
const READABLE = 20

/** So many of a kind are enough for a page. */
const MANY = 100

function listPage<A>(
  title: string,
  list: Listed<A>,
  item: (item: A, look: Look) => ReadonlyArray<string>,
  apart: boolean,
  look: Look
): ReadonlyArray<string> {
  const { paint } = look
  switch (list._tag) {
    case "Undeclared":
      // The capabilities say so.
      return list.found === undefined || list.found === 0
        ? []
        : section(title, [`not declared, and ${list.found} answered`], [], look)
    case "Failed":
      return section(
        title,
        [],
        wrap(list.trouble.message, look.width - 2).map((text) => `  ${paint.bad(text)}`),
        look
      )
    case "Listed": {
      const facts = [
        `${list.items.length}${list.cut === undefined ? "" : " and more"}`,
        ...(list.dropped.length === 0 ? [] : [`${list.dropped.length} malformed left out`]),
        ms(list.ms),
        ...(list.hints === undefined || list.hints.ttlMs <= 0
          ? []
          : [`good for ${span(list.hints.ttlMs)}, ${list.hints.cacheScope}`])
      ]
      const shown = look.full ? list.items : list.items.slice(0, MANY)
      const more = list.items.length - shown.length
      const blocks = shown.map((one) => item(one, look))
      if (more > 0) blocks.push([paint.faint(`  … ${more} more, shown with --full`)])
      return section(
        title,
        facts,
        blocks.flatMap((lines, at) => (apart && at > 0 ? ["", ...lines] : lines)),
        look
      )
    }
  }
}

function remarkPage(remarks: ReadonlyArray<Remark>, look: Look): ReadonlyArray<string> {
  if (remarks.length === 0) return []
  const { paint, width } = look
  const marks = { wrong: paint.bad("✗"), odd: paint.odd("!"), note: paint.faint("·") }
  const lines = (["wrong", "odd", "note"] as const).flatMap((weight) =>
    remarks
      .filter((remark) => remark.weight === weight)
      .flatMap(({ text }) =>
        clip(wrap(text, width - 4), 12, width - 4).map((part, at) => `  ${at === 0 ? marks[weight] : " "} ${part}`)
      )
  )
  return section("Remarks", [], lines, look)
}

function section(
  title: string,
  facts: ReadonlyArray<string>,
  lines: ReadonlyArray<string>,
  { paint, width }: Look
): ReadonlyArray<string> {
  const heading: Part = { text: title, paint: paint.heading }
  const beside: ReadonlyArray<Part> = facts.length === 0 ? [] : [{ text: facts.join(" · "), paint: paint.faint }]
  return ["", ...flow([heading, ...beside], "  ", width), ...lines]
}

export const ms = (time: number): string => `${time < 9.95 ? time.toFixed(1) : Math.round(time)} ms`

/** A length of time as people say it. */
export function span(time: number): string {
  const [unit, name] = (
    [
      [86_400_000, "d"],
      [3_600_000, "h"],
      [60_000, "min"],
      [1_000, "s"]
    ] as const
  ).find(([unit]) => time >= unit) ?? [1, "ms"]
  return `${Math.round((time / unit) * 10) / 10} ${name}`
}
