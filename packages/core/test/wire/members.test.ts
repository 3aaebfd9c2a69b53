/** Each revision has the shapes of its own date: the members that the specification's schema lists, and no newer ones. */
import { describe, expect, test } from "vitest"
import { isObject } from "../../src/json.js"
import type { RevisionName } from "../../src/revision.js"
import { schemas } from "../../src/wire/index.js"
import type { Node, Official } from "../revisions/official.js"
import { official, present } from "../revisions/official.js"

interface Tree {
  readonly _tag: string
  readonly propertySignatures?: ReadonlyArray<{
    readonly name: string
    readonly type: { readonly context?: { readonly isOptional?: boolean } }
  }>
}

const revisions = Object.keys(schemas) as ReadonlyArray<RevisionName>

describe.each(revisions)("the shapes of %s", (revision) => {
  const shapes = Object.entries(schemas[revision] as unknown as Readonly<Record<string, { readonly ast: Tree }>>)

  test.skipIf(!present(revision))("have the members of their official namesakes and require the same", () => {
    const published = official(revision)
    const compared = shapes.filter(([name, { ast }]) => {
      const theirs = definition(published, name)
      const properties = theirs?.["properties"]
      if (!isObject(properties) || ast._tag !== "Objects") return false
      const members = ast.propertySignatures ?? []
      const required = members.filter(({ type }) => type.context?.isOptional !== true)
      const demanded = ((theirs?.["required"] ?? []) as ReadonlyArray<string>).filter((member) => !stamps.has(member))
      expect(names(members), name).toEqual(sorted(Object.keys(properties)))
      expect(names(required), name).toEqual(sorted(demanded))
      return true
    })
    expect(compared.length).toBeGreaterThan(40)
  })
})

test("a shape that a later revision brought is in no earlier one, and one that is gone in no later one", () => {
  const having = (name: string) => revisions.filter((revision) => name in schemas[revision])
  expect(having("Tool")).toEqual(revisions)
  expect(having("AudioContent")).toEqual(revisions.slice(1))
  expect(having("ElicitParams")).toEqual(revisions.slice(2))
  expect(having("Task")).toEqual(["2025-11-25"])
  expect(having("InitializeParams")).toEqual(revisions.slice(0, 4))
  expect(having("InputRequiredResult")).toEqual(["2026-07-28"])
})

/** `SetLevelParams` is published under that name, as `SetLevelRequestParams`, or inside `SetLevelRequest`. */
function definition({ definitions }: Official, name: string): Node | undefined {
  if (definitions[name] !== undefined || !name.endsWith("Params")) return definitions[name]
  const stem = name.slice(0, -"Params".length)
  const message = definitions[`${stem}Request`] ?? definitions[`${stem}Notification`]
  const inside = message?.["properties"] as { readonly params?: Node } | undefined
  return definitions[`${stem}RequestParams`] ?? definitions[`${stem}NotificationParams`] ?? inside?.params
}

/** What a result has to say of itself since 2026-07-28, and a client does not insist on. */
const stamps = new Set(["resultType", "ttlMs", "cacheScope"])

const names = (members: ReadonlyArray<{ readonly name: string }>): ReadonlyArray<string> =>
  sorted(members.map(({ name }) => name))

// Older schemas leave `_meta` out of the params of some messages; the text has it everywhere.
const sorted = (members: ReadonlyArray<string>): ReadonlyArray<string> =>
  members.filter((name) => name !== "_meta").sort()
