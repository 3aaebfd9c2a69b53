/** Turns what the library found into issues that a person, or a model, can act on. */
import type { OutputUnit } from "@cfworker/json-schema"
import { bounds } from "./bounds.js"
import { isObject, member, pathOf } from "./path.js"
import type { Node, Table } from "./reference.js"
import type { Issue } from "./validator.js"
import * as words from "./wording.js"

/** At least one issue, the outermost cause of each error only. */
export function explain(
  errors: ReadonlyArray<OutputUnit>,
  root: Node,
  table: Table,
  value: unknown
): ReadonlyArray<Issue> {
  const issues: Array<Issue> = []
  for (let i = 0; i < errors.length && issues.length < bounds.issues; i++) {
    const error = errors[i]!
    const keys = keysOf(error.instanceLocation)
    const node = nodeAt(error.keywordLocation, root, table)
    if (error.keyword === "anyOf" || error.keyword === "oneOf") {
      const end = endOfBranches(errors, i, `${error.keywordLocation}/`)
      const branches = errors.slice(i + 1, end)
      push(issues, pathOf(keys, value), alternatives(error, branches, root, table))
      i = end - 1
      continue
    }
    const message = messageOf(error, node)
    if (message !== undefined) push(issues, placeOf(error, keys, value), message)
  }
  return issues.length > 0 ? issues : [{ path: "", message: words.unfit }]
}

function push(issues: Array<Issue>, path: string, message: string): void {
  if (!issues.some((one) => one.path === path && one.message === message)) issues.push({ path, message })
}

function placeOf(error: OutputUnit, keys: ReadonlyArray<string>, value: unknown): string {
  const path = pathOf(keys, value)
  const name = absent.exec(error.error)
  if (error.keyword === "required" && name !== null) return member(path, name[1]!)
  const dependent = dependency.exec(error.error)
  return dependent === null ? path : member(path, dependent[2]!)
}

const absent = /^Instance does not have required property "([^]*)"\.$/
const dependency = /^Instance has "([^]*)" but does not have "([^]*)"\.$/

/** The errors within the branches follow their summary and are told by it. */
function endOfBranches(errors: ReadonlyArray<OutputUnit>, from: number, prefix: string): number {
  let end = from + 1
  while (end < errors.length && isWithin(errors[end]!, prefix, errors[from]!)) end++
  return end
}

// A schema that is just `false` gives the instance's location for its own.
const isWithin = (error: OutputUnit, prefix: string, summary: OutputUnit): boolean =>
  error.keywordLocation.startsWith(prefix) ||
  (error.keyword === "false" && error.instanceLocation.startsWith(summary.instanceLocation))

function alternatives(summary: OutputUnit, branches: ReadonlyArray<OutputUnit>, root: Node, table: Table): string {
  if (severalMatch(summary)) return words.manyAlternatives
  const types = new Set<unknown>()
  for (const branch of branches) {
    if ((branch.keyword === "anyOf" || branch.keyword === "oneOf") && !severalMatch(branch)) continue
    const node = branch.keyword === "type" ? nodeAt(branch.keywordLocation, root, table) : undefined
    if (node === undefined || branch.instanceLocation !== summary.instanceLocation) return words.noAlternative
    for (const type of [node["type"]].flat()) types.add(type)
  }
  return types.size === 0 ? words.noAlternative : words.expected(types)
}

const severalMatch = (summary: OutputUnit): boolean =>
  summary.keyword === "oneOf" && !summary.error.endsWith("(0 matches).")

function messageOf(error: OutputUnit, node: Node | undefined): string | undefined {
  switch (error.keyword) {
    case "required":
      return words.missing
    case "false":
      return words.unexpected
    case "format":
      return words.wordingOf("pattern", node?.["source"])
    case "dependentRequired":
    case "dependencies": {
      const found = dependency.exec(error.error)
      return found === null ? undefined : `missing beside ${found[1]}`
    }
    default:
      return wordingOf(error.keyword, node?.[error.keyword])
  }
}

/** Nothing for keywords that only sum up what others say. */
const wordingOf = (keyword: string, limit: unknown): string | undefined =>
  wordings[keyword]?.replace("#", String(limit)) ?? words.wordingOf(keyword, limit)

const wordings: Readonly<Record<string, string | undefined>> = {
  not: "matches what is excluded",
  multipleOf: "must be a multiple of #",
  uniqueItems: "must not have the same item twice",
  contains: "contains no item that matches",
  minContains: "must contain at least # items that match",
  maxContains: "must contain at most # items that match",
  minProperties: "must have at least # members",
  maxProperties: "must have at most # members"
}

/** The schema that has the keyword, found the way the library went. */
function nodeAt(location: string, root: Node, table: Table): Node | undefined {
  let here: unknown = root
  for (const key of keysOf(location).slice(0, -1)) {
    if (typeof here !== "object" || here === null) return undefined
    here = key === "$ref" ? table[String((here as Node).__absolute_ref__)] : (here as Node)[key]
  }
  return isObject(here) ? here : undefined
}

const keysOf = (pointer: string): ReadonlyArray<string> =>
  pointer
    .split("/")
    .slice(1)
    .map((key) => decodeURIComponent(key).replaceAll("~1", "/").replaceAll("~0", "~"))
