/** Every row of every revision, spelled out once more: a column that changes changes here too. */
import { describe, expect, it } from "vitest"
import type { Revision } from "../src/revision.js"
import { revisions, v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 } from "../src/revisions/index.js"
import type { RequestRow, Row } from "../src/row.js"

/** A row in words: who sends what, and the columns that are not as usual. */
function inWords(method: string, row: Row): string {
  const words = [row.from, method]
  if (row.kind === "request") words.splice(1, 0, "asks")
  else words.splice(1, 0, "tells")
  if (row.needs !== undefined) words.push(`needs ${row.needs}`)
  if (row.when !== "ready") words.push(row.when)
  if (row.stream) words.push("stream")
  if (row.extension !== undefined) words.push(`of ${row.extension}`)
  if (row.kind === "notification") {
    if (row.filter !== undefined) words.push(`by ${row.filter}`)
    return words.join(" ")
  }
  if (row.asks) words.push("may ask back")
  if (row.paginated !== undefined) words.push(`pages of ${row.paginated}`)
  if (row.task !== undefined) words.push(`as a task with ${row.task.needs}`)
  if (row.cacheable) words.push("cacheable")
  if (row.header !== undefined) words.push(`header ${row.header}`)
  for (const type of Object.keys(row.resultTypes)) words.push(`or ${type}`)
  return words.join(" ")
}

const rows = ({ client, server }: Revision): ReadonlyArray<string> =>
  [...Object.entries(client), ...Object.entries(server)].map(([method, row]) => inWords(method, row))

const client = [
  "client asks initialize opening",
  "client tells notifications/initialized opened",
  "client asks ping always",
  "client tells notifications/cancelled always",
  "client tells notifications/progress always",
  "client asks tools/list needs server.tools pages of tools",
  "client asks tools/call needs server.tools may ask back",
  "client asks prompts/list needs server.prompts pages of prompts",
  "client asks prompts/get needs server.prompts may ask back",
  "client asks resources/list needs server.resources pages of resources",
  "client asks resources/templates/list needs server.resources pages of resourceTemplates",
  "client asks resources/read needs server.resources may ask back",
  "client asks resources/subscribe needs server.resources.subscribe",
  "client asks resources/unsubscribe needs server.resources.subscribe",
  "client asks completion/complete needs server.completions",
  "client asks logging/setLevel needs server.logging",
  "client tells notifications/roots/list_changed needs client.roots.listChanged"
]
const early = [
  "server asks ping always",
  "server tells notifications/cancelled always",
  "server tells notifications/progress always"
]
const sampling = "server asks sampling/createMessage needs client.sampling"
const elicitation = "server asks elicitation/create needs client.elicitation"
const roots = "server asks roots/list needs client.roots"
const news = [
  "server tells notifications/message needs server.logging",
  "server tells notifications/tools/list_changed needs server.tools.listChanged",
  "server tells notifications/prompts/list_changed needs server.prompts.listChanged",
  "server tells notifications/resources/list_changed needs server.resources.listChanged",
  "server tells notifications/resources/updated needs server.resources.subscribe"
]
const tasks = (from: string, needs: string, back: string) => [
  `${from} asks tasks/get needs ${needs}.tasks`,
  `${from} asks tasks/result needs ${needs}.tasks${back}`,
  `${from} asks tasks/list needs ${needs}.tasks.list pages of tasks`,
  `${from} asks tasks/cancel needs ${needs}.tasks.cancel`,
  `${from} tells notifications/tasks/status needs ${from}.tasks`
]

describe("the rows", () => {
  it("of 2024-11-05 and 2025-03-26 are these", () => {
    const expected = [...client, ...early, sampling, roots, ...news].toSorted()
    expect(rows(v2024_11_05).toSorted()).toEqual(expected)
    expect(rows(v2025_03_26).toSorted()).toEqual(expected)
  })

  it("of 2025-06-18 have elicitation beside them", () => {
    expect(rows(v2025_06_18).toSorted()).toEqual(
      [...client, ...early, sampling, elicitation, roots, ...news].toSorted()
    )
  })

  it("of 2025-11-25 have tasks, and pages the user is sent to", () => {
    const call = "client asks tools/call needs server.tools may ask back"
    expect(rows(v2025_11_25).toSorted()).toEqual(
      [
        ...client.filter((row) => row !== call),
        `${call} as a task with server.tasks.requests.tools.call`,
        ...tasks("client", "server", " may ask back"),
        ...early,
        `${sampling} as a task with client.tasks.requests.sampling.createMessage`,
        `${elicitation} as a task with client.tasks.requests.elicitation.create`,
        "server tells notifications/elicitation/complete needs client.elicitation.url",
        roots,
        ...news,
        ...tasks("server", "client", "")
      ].toSorted()
    )
  })
})

describe("the rows of 2026-07-28", () => {
  it("have no handshake, and streams of notifications", () => {
    expect(rows(v2026_07_28).toSorted()).toEqual(
      [
        "client asks server/discover cacheable",
        "client tells notifications/cancelled always",
        "client asks tools/list needs server.tools pages of tools cacheable",
        "client asks tools/call needs server.tools may ask back header name or input_required",
        "client asks prompts/list needs server.prompts pages of prompts cacheable",
        "client asks prompts/get needs server.prompts may ask back header name or input_required",
        "client asks resources/list needs server.resources pages of resources cacheable",
        "client asks resources/templates/list needs server.resources pages of resourceTemplates cacheable",
        "client asks resources/read needs server.resources may ask back cacheable header uri or input_required",
        "client asks completion/complete needs server.completions",
        "client asks subscriptions/listen stream",
        "server tells notifications/cancelled always",
        "server tells notifications/progress",
        "server tells notifications/message needs server.logging",
        "server tells notifications/subscriptions/acknowledged stream",
        "server tells notifications/tools/list_changed needs server.tools.listChanged stream by toolsListChanged",
        "server tells notifications/prompts/list_changed needs server.prompts.listChanged stream by promptsListChanged",
        "server tells notifications/resources/list_changed needs server.resources.listChanged stream by resourcesListChanged",
        "server tells notifications/resources/updated needs server.resources.subscribe stream by resourceSubscriptions"
      ].toSorted()
    )
  })

  it("ask by questions inside a result", () => {
    const { questions } = v2026_07_28
    expect(Object.entries(questions).map(([method, row]) => inWords(method, row))).toEqual([
      sampling,
      elicitation,
      roots
    ])
    expect(questions["roots/list"]!.params({ _meta: {} })).toBeUndefined()
    for (const [method, { params, result }] of Object.entries(questions)) {
      expect(params({ _meta: 7, message: 7 })?.at, method).toBeDefined()
      expect(result({}), method).toBeDefined()
    }
  })

  it("take a result that asks, and one with neither questions nor state not", () => {
    const { client: sent } = v2026_07_28
    for (const method of ["tools/call", "prompts/get", "resources/read"]) {
      const { resultTypes } = sent[method] as RequestRow
      const check = resultTypes["input_required"]!
      expect(check({ resultType: "input_required", requestState: "s" }), method).toBeUndefined()
      expect(check({ resultType: "input_required" }), method).toBeDefined()
      expect(resultTypes["constructor"], method).toBeUndefined()
    }
  })
})

describe("the questions of revisions with a handshake", () => {
  it("are the requests that their servers send", () => {
    for (const { server, questions } of [v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25]) {
      const requests = Object.entries(server).filter(([, row]) => row.kind === "request")
      expect(Object.entries(questions)).toEqual(requests)
    }
  })
})

describe("the places", () => {
  it("count from the oldest", () => {
    expect(revisions.map(({ place }) => place)).toEqual([4, 3, 2, 1, 0])
  })
})

describe("a task's first result", () => {
  it("holds the task", () => {
    const task = { taskId: "t", status: "working", createdAt: "1", lastUpdatedAt: "1", ttl: null }
    const { client: sent, server } = v2025_11_25
    for (const row of [sent["tools/call"], server["sampling/createMessage"], server["elicitation/create"]]) {
      const { task: column } = row as { task: { result: (value: unknown) => unknown } }
      expect(column.result({ task })).toBeUndefined()
      expect(column.result({})).toEqual({ at: "task", expected: "an object" })
    }
  })
})

describe("the features", () => {
  const features = ({ features: all }: Revision) => all
  const oldest = {
    batches: false,
    unreadableId: "null",
    refusedArguments: "error",
    forms: "flat",
    asks: "requests",
    stamps: "none",
    logs: "session",
    missingCapability: "result",
    unknownResource: -32002,
    closedExchange: "ignored",
    structured: "object",
    pageRequired: "error",
    reservedCodes: []
  }
  const newer = { ...oldest, unreadableId: "omitted", refusedArguments: "result", forms: "full" }

  it("of each revision are those of the one before, and what is new", () => {
    expect(features(v2024_11_05)).toEqual(oldest)
    expect(features(v2025_03_26)).toEqual({ ...oldest, batches: true })
    expect(features(v2025_06_18)).toEqual(oldest)
    expect(features(v2025_11_25)).toEqual(newer)
    expect(features(v2026_07_28)).toEqual({
      ...newer,
      asks: "result",
      stamps: "whole",
      logs: "request",
      missingCapability: "error",
      unknownResource: -32602,
      closedExchange: "cancels",
      structured: "any",
      pageRequired: "question",
      reservedCodes: [[-32099, -32000]]
    })
  })
})

describe("params and results", () => {
  /** A value that no params of that method are, and one that no result is. */
  const wrong: Readonly<Record<string, readonly [params: object, result: object]>> = {
    initialize: [{}, {}],
    "server/discover": [{ _meta: 7 }, {}],
    "subscriptions/listen": [{}, {}],
    ping: [{ _meta: 7 }, { _meta: 7 }],
    "tools/list": [{ cursor: 7 }, {}],
    "tools/call": [{}, {}],
    "prompts/list": [{ cursor: 7 }, {}],
    "prompts/get": [{}, {}],
    "resources/list": [{ cursor: 7 }, {}],
    "resources/templates/list": [{ cursor: 7 }, {}],
    "resources/read": [{}, {}],
    "resources/subscribe": [{}, { _meta: 7 }],
    "resources/unsubscribe": [{}, { _meta: 7 }],
    "completion/complete": [{}, {}],
    "logging/setLevel": [{}, { _meta: 7 }],
    "sampling/createMessage": [{}, {}],
    "elicitation/create": [{}, {}],
    "roots/list": [{ _meta: 7 }, {}],
    "tasks/get": [{}, {}],
    "tasks/result": [{}, { _meta: 7 }],
    "tasks/list": [{ cursor: 7 }, {}],
    "tasks/cancel": [{}, {}]
  }
  const wrongNotice: Readonly<Record<string, object>> = {
    "notifications/cancelled": { requestId: {} },
    "notifications/progress": {},
    "notifications/message": {},
    "notifications/resources/updated": {},
    "notifications/elicitation/complete": {},
    "notifications/tasks/status": {},
    "notifications/subscriptions/acknowledged": {}
  }

  it.each(revisions)("of a wrong shape are found in every row of $name", ({ client: sent, server }) => {
    for (const [method, row] of [...Object.entries(sent), ...Object.entries(server)]) {
      if (row.kind === "request") {
        const [params, result] = wrong[method]!
        expect(row.params(params), method).toBeDefined()
        expect(row.result(result), method).toBeDefined()
      } else expect(row.params(wrongNotice[method] ?? { _meta: 7 }), method).toBeDefined()
    }
  })
})
