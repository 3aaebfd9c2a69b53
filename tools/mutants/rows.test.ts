/** No column of any row escapes the mutants: what the tables hold at run time is what the generator finds in their text. */
import type { Revision, Row } from "@parley/core"
import { handshakeRevisions } from "@parley/core/revisions"
import { expect, test } from "vitest"
import { generate } from "./generate.mjs"

const mutants = generate()

test.each(handshakeRevisions.map((revision) => [revision.name, revision] as const))(
  "each row of %s loses each of its columns, and each feature has another value",
  (name, revision) => {
    const page = `/v${name.replaceAll("-", "_")}.ts`
    const found = mutants.filter(({ file }) => file.endsWith(page)).map(({ at, what }) => `${at}: ${what}`)
    expect(found.toSorted()).toEqual(expectedOf(revision).toSorted())
  }
)

test("no two mutants have the same id", () => {
  const ids = mutants.map(({ id }) => id)
  expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([])
})

const expectedOf = ({ client, server, items, features }: Revision): ReadonlyArray<string> => [
  ...[...Object.entries(client), ...Object.entries(server)].flatMap(([method, row]) =>
    changesOf(row).map((what) => `${method}: ${what}`)
  ),
  ...Object.keys(items).map((method) => `items.${method}: unchecked`),
  ...Object.entries(features).map(([feature, value]) => `features.${feature}: now ${others[String(value)]}`),
  "place: moved"
]

const others: Readonly<Record<string, string>> = {
  true: "false",
  false: "true",
  null: "omitted",
  omitted: "null",
  error: "result",
  result: "error",
  flat: "full",
  full: "flat"
}

function changesOf(row: Row): ReadonlyArray<string> {
  const changes = ["row deleted", "from flipped", "params unchecked", `kind no longer ${row.kind}`]
  if (row.when !== "ready") changes.push("when dropped")
  if (row.when !== "ready" && row.when !== "always") changes.push("when weakened")
  if (row.needs !== undefined) changes.push("needs dropped")
  if (weakens(row.needs)) changes.push("needs weakened")
  if (row.kind === "notification") return changes
  changes.push("result unchecked")
  for (const column of ["asks", "cacheable", "paginated", "header", "task"] as const)
    if (row[column] !== undefined && row[column] !== false) changes.push(`${column} dropped`)
  if (row.task !== undefined) changes.push("task.result unchecked")
  if (weakens(row.task?.needs)) changes.push("task.needs weakened")
  return changes
}

const weakens = (needs: string | undefined): boolean => needs !== undefined && needs.split(".").length > 2
