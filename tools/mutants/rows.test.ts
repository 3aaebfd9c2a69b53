/** No column of any row escapes the mutants: what the tables hold at run time is what the generator finds in their text. */
import type { Revision, Row } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import { expect, test } from "vitest"
import { generate } from "./generate.mjs"

const mutants = generate()

test.each(revisions.map((revision) => [revision.name, revision] as const))(
  "each row of %s loses each of its columns, and each feature has another value",
  (name, revision) => {
    const page = `/v${name.replaceAll("-", "_")}.ts`
    const found = mutants.filter(({ file }) => file.endsWith(page)).map(({ at, what }) => `${at}: ${what}`)
    expect(found.toSorted()).toEqual(expectedOf(revision, before(revision)).toSorted())
  }
)

test("no two mutants have the same id", () => {
  const ids = mutants.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

/** The revision whose page this one's page goes on from: what it does not change is written there, and mutated there. */
const before = ({ opening, place }: Revision): Revision | undefined =>
  opening === "handshake" ? revisions.find((other) => other.place === place - 1) : undefined

const expectedOf = (revision: Revision, last: Revision | undefined): ReadonlyArray<string> => [
  // Where a server asks by requests of its own, the questions are rows of the server.
  ...(["client", "server", ...(revision.opening === "request" ? (["questions"] as const) : [])] as const).flatMap(
    (rows) =>
      Object.entries<Row>(revision[rows])
        .filter(([method, row]) => written(row) !== written(last?.[rows][method]))
        .flatMap(([method, row]) => changesOf(row).map((what) => `${method}: ${what}`))
  ),
  ...Object.keys(revision.items)
    .filter((method) => last?.items[method] === undefined)
    .map((method) => `items.${method}: unchecked`),
  ...Object.entries(revision.features)
    .filter(([feature, value]) => written(value) !== written(last?.features[feature as keyof Revision["features"]]))
    .flatMap(([feature, value]) => othersOf(feature, value).map((other) => `features.${feature}: ${other}`)),
  "place: moved"
]

/** A row's columns but for its checks, which each revision has of its own. */
const written = (value: unknown): string | undefined => JSON.stringify(value)

const words: Readonly<Record<string, ReadonlyArray<unknown>>> = {
  unreadableId: ["null", "omitted"],
  refusedArguments: ["result", "error"],
  forms: ["flat", "full"],
  asks: ["requests", "result"],
  stamps: ["none", "whole"],
  logs: ["session", "request"],
  missingCapability: ["result", "error"],
  unknownResource: [-32002, -32602],
  closedExchange: ["ignored", "cancels"],
  structured: ["object", "any"],
  pageRequired: ["error", "question"]
}

function othersOf(feature: string, value: unknown): ReadonlyArray<string> {
  if (typeof value === "boolean") return [`now ${!value}`]
  if (Array.isArray(value)) return value.map((range: ReadonlyArray<number>) => `without [${range.join(", ")}]`)
  return (words[feature] ?? []).filter((word) => word !== value).map((word) => `now ${String(word)}`)
}

function changesOf(row: Row): ReadonlyArray<string> {
  const changes = ["row deleted", "from flipped", "params unchecked", `kind no longer ${row.kind}`]
  if (row.when !== "ready") changes.push("when dropped")
  if (row.when !== "ready" && row.when !== "always") changes.push("when weakened")
  if (row.needs !== undefined) changes.push("needs dropped")
  if (weakens(row.needs)) changes.push("needs weakened")
  if (row.stream) changes.push("stream dropped")
  if (row.kind === "notification") {
    for (const column of ["filter", "by"] as const) if (row[column] !== undefined) changes.push(`${column} dropped`)
    return changes
  }
  changes.push("result unchecked")
  const types = Object.keys(row.resultTypes)
  if (types.length > 0) changes.push("resultTypes dropped", ...types.map((type) => `resultTypes.${type} unchecked`))
  for (const column of ["asks", "cacheable", "paginated", "header", "task"] as const)
    if (row[column] !== undefined && row[column] !== false) changes.push(`${column} dropped`)
  if (row.task !== undefined) changes.push("task.result unchecked")
  if (weakens(row.task?.needs)) changes.push("task.needs weakened")
  return changes
}

const weakens = (needs: string | undefined): boolean => needs !== undefined && needs.split(".").length > 2
