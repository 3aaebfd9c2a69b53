/** What a client offers: its announcement, where modes of elicitation are there only when they are named. */
import { describe, expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { merged } from "../../src/narrow.js"
import { v2025_06_18, v2025_11_25, v2026_07_28 } from "../../src/revisions/index.js"
import { lacking, offers } from "../../src/server/offers.js"

const all = ["elicitation", "elicitation.form", "elicitation.url", "roots", "sampling.tools"]
const offered = (revision: typeof v2025_11_25, capabilities: JsonObject) =>
  all.filter((need) => offers(revision, { revision: revision.name, capabilities, info: {} }, need))

it.each<[JsonObject, ReadonlyArray<string>]>([
  [{}, []],
  [{ elicitation: {} }, ["elicitation", "elicitation.form"]],
  [{ elicitation: { form: {} } }, ["elicitation", "elicitation.form"]],
  [{ elicitation: { url: {} } }, ["elicitation.url"]],
  [{ elicitation: { form: {}, url: {} } }, ["elicitation", "elicitation.form", "elicitation.url"]],
  [{ roots: {}, sampling: { tools: {} } }, ["roots", "sampling.tools"]]
])("%j offers %j", (capabilities, needs) => expect(offered(v2025_11_25, capabilities)).toEqual(needs))

it("before there were modes elicitation is forms, whatever a newer client names", () => {
  for (const modes of [{}, { url: {} }, { form: {}, url: {} }])
    expect(offered(v2025_06_18, { elicitation: modes })).toEqual(["elicitation", "elicitation.form"])
  expect(offered(v2025_06_18, {})).toEqual([])
})

describe("what is lacking", () => {
  const peer = (capabilities: JsonObject) => ({ revision: "2026-07-28", capabilities, info: {} }) as const

  it.each<[JsonObject, ReadonlyArray<string>, ReadonlyArray<string>]>([
    [{}, ["elicitation"], ["elicitation"]],
    [{}, ["elicitation.form"], ["elicitation"]],
    [{ elicitation: { url: {} } }, ["elicitation"], ["elicitation.form"]],
    [{ elicitation: {} }, ["elicitation.url"], ["elicitation.url"]],
    [{}, ["elicitation", "elicitation.url"], ["elicitation.form", "elicitation.url"]],
    // Whoever names pages only takes its forms back.
    [{ elicitation: {} }, ["elicitation.url", "elicitation"], ["elicitation.url", "elicitation.form"]],
    [{ elicitation: { form: {} } }, ["elicitation", "elicitation.url"], ["elicitation.url"]],
    [{ sampling: {} }, ["sampling", "sampling.tools", "sampling.context"], ["sampling.tools", "sampling.context"]],
    [{ roots: {} }, ["roots"], []]
  ])("where %j is declared and %j needed, is %j", (capabilities, needs, lacks) =>
    expect(lacking(v2026_07_28, peer(capabilities), needs)).toEqual(lacks)
  )

  it("is there when it is declared beside the rest, and not one of it can be left out", () => {
    const settings = ["form", "url", "tools", "context"]
    const declared = [undefined, {}, ...settings.map((one) => ({ [one]: {} })), { form: {}, url: {} }]
    const needed = [...all, "elicitation.form", "sampling", "sampling.context"]
    const subsets = needed.flatMap((one) =>
      needed.map((other) => [one, other, "elicitation"].slice(one === other ? 1 : 0))
    )
    for (const elicitation of declared)
      for (const sampling of declared)
        for (const needs of subsets) {
          const capabilities = Object.fromEntries(
            Object.entries({ elicitation, sampling }).filter(([, value]) => value !== undefined)
          ) as JsonObject
          const lacks = [...new Set(lacking(v2026_07_28, peer(capabilities), needs))]
          const leftWith = (paths: ReadonlyArray<string>) =>
            lacking(v2026_07_28, peer(paths.reduce(declaring, capabilities)), needs)
          expect(leftWith(lacks), JSON.stringify({ capabilities, needs, lacks })).toEqual([])
          const leaves = lacks.filter((path) => !lacks.some((other) => other.startsWith(`${path}.`)))
          for (const path of leaves)
            expect(leftWith(leaves.filter((other) => other !== path)), JSON.stringify({ needs, path })).not.toEqual([])
        }
  })

  const declaring = (capabilities: JsonObject, path: string): JsonObject => {
    const [name, setting] = path.split(".") as [string, string?]
    const before = (capabilities[name] ?? {}) as JsonObject
    return merged(capabilities, { [name]: setting === undefined ? before : merged(before, { [setting]: {} }) })
  }
})
