/** What a client offers: its announcement, where modes of elicitation are there only when they are named. */
import { expect, it } from "vitest"
import type { JsonObject } from "../../src/json.js"
import { v2025_06_18, v2025_11_25 } from "../../src/revisions/index.js"
import { offers } from "../../src/server/offers.js"

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
