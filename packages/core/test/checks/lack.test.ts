/** What a revision lacks: told where something is, nothing where nothing is, however deep. */
import { describe, expect, it } from "vitest"
import type { Lack } from "../../src/checks/lack.js"
import { lackAt } from "../../src/checks/lack.js"
import { string } from "../../src/checks/pieces.js"
import type { Shape } from "../../src/checks/shape.js"
import { revisions } from "../../src/revisions/index.js"

const since: Shape = [1, string]
const gone = (...names: ReadonlyArray<string>) => ({ tag: undefined, gone: new Set(names), inside: new Map() })
const inside = (name: string, lack: object, tag?: string) => ({ tag, gone: new Set(), inside: new Map([[name, lack]]) })

describe("a member that comes later", () => {
  const late: Shape = { must: { old: string }, may: { fresh: since } }
  const kinds: Shape = { tag: "type", of: { old: late, plain: string, fresh: [1, late] } }

  it.each<[string, Shape, object]>([
    ["in an object", late, gone("fresh")],
    ["in a list", { each: late }, gone("fresh")],
    ["in one of several", { any: [string, late] }, gone("fresh")],
    ["in a member", { must: { one: late, two: string } }, inside("one", gone("fresh"))],
    ["that is a kind", { tag: "type", of: { a: string, b: since } }, { ...gone("b"), tag: "type" }],
    [
      "that is a kind, beside what is no object of ours",
      { any: [["a"], { every: string }, { tag: "type", of: { a: string, b: since } }] },
      { ...gone("b"), tag: "type" }
    ],
    ["in a kind", { tag: "type", of: { a: late, b: string } }, inside("a", gone("fresh"), "type")],
    [
      "that is a kind, and in a kind",
      { may: { blocks: { each: kinds } } },
      inside("blocks", { ...inside("old", gone("fresh"), "type"), gone: new Set(["fresh"]) })
    ]
  ])("%s is lacking before, and not after", (_, shape, lack) => {
    expect(lackAt(0, shape)).toEqual(lack)
    expect(lackAt(1, shape)).toBeUndefined()
  })

  it.each<[string, Shape | undefined]>([
    ["of nothing", undefined],
    ["of a text", string],
    ["where senders add what they like", { open: true, may: { fresh: since } }]
  ])("is never lacking %s", (_, shape) => expect(lackAt(0, shape)).toBeUndefined())
})

/** Every lack in it, itself too. */
const all = (lack: Lack | null): ReadonlyArray<Lack> =>
  lack === null ? [] : [lack, ...[...lack.inside.values()].flatMap(all)]

it.each(revisions)("of what goes over the wire in $name no lack is empty", (revision) => {
  const rows = [revision.client, revision.server].flatMap((page) => Object.values(page))
  const checks = rows.flatMap((row) => (row.kind === "request" ? [row.params, row.result] : [row.params]))
  const lacks = [...checks, ...Object.values(revision.items)].map(revision.lacks)
  expect(lacks).toContain(null)
  // Null says that it was looked for: it is looked for once.
  expect(lacks).not.toContain(undefined)
  for (const { gone, inside } of lacks.flatMap(all)) expect(gone.size + inside.size).toBeGreaterThan(0)
})
