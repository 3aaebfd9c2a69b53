/** A whole page, from a survey written by hand. */
import { describe, expect, it } from "vitest"
import type { Aftermath, Survey } from "../src/survey.js"
import { diagnose, exitOf } from "../src/diagnosis.js"
import { page } from "../src/page.js"
import { noPaint, paints } from "../src/paint.js"

const survey: Survey = {
  at: { _tag: "Command", command: "node", args: ["server.js"], env: {}, cwd: undefined },
  web: [],
  asked: "2025-11-25",
  revision: "2025-06-18",
  server: {
    name: "shop",
    title: "The Shop",
    version: "1.2.3",
    description: "Sells things.",
    websiteUrl: "https://shop.example"
  },
  instructions: "Look before you buy.\n\n- Prices are in euros, and include everything that has to be paid",
  capabilities: { tools: { listChanged: true }, resources: { subscribe: false }, tasks: { list: {} } },
  understood: { tools: { listChanged: true }, resources: { subscribe: false } },
  era: { opening: "handshake", how: "answered initialize", tries: [{ method: "initialize", came: "answer", ms: 12 }] },
  opening: [
    {
      at: 0.4,
      from: "us",
      what: "initialize",
      detail: "asks for 2025-11-25, declares nothing",
      took: undefined,
      message: {}
    },
    {
      at: 12.2,
      from: "server",
      what: "result",
      detail: "2025-06-18, shop 1.2.3, declares tools",
      took: 11.8,
      message: {}
    },
    { at: 12.6, from: "us", what: "notifications/initialized", detail: "", took: undefined, message: {} }
  ],
  openedMs: 12.2,
  tools: {
    _tag: "Listed",
    cut: undefined,
    ms: 3,
    dropped: [`name: expected a string in {"name":1}`],
    items: [
      {
        name: "buy",
        title: "Buy",
        description: "Buys it.",
        inputSchema: {
          type: "object",
          properties: {
            what: { type: "string", description: "Its name" },
            count: { type: "integer", minimum: 1, default: 1 },
            to: {
              type: "object",
              description: "Where to",
              properties: { city: { type: "string" } },
              required: ["city"]
            }
          },
          required: ["what"]
        },
        outputSchema: { type: "object", properties: { paid: { type: "number" } }, required: ["paid"] },
        annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }
      },
      { name: "look", description: "Looks.", inputSchema: { type: "object" }, annotations: { readOnlyHint: true } }
    ]
  },
  resources: {
    _tag: "Listed",
    cut: undefined,
    ms: 1,
    dropped: [],
    items: [
      {
        uri: "shop://prices",
        name: "prices",
        mimeType: "text/csv",
        size: 2_048,
        annotations: { audience: ["user"], priority: 1 }
      }
    ]
  },
  templates: { _tag: "Listed", cut: undefined, ms: 1, dropped: [], items: [] },
  prompts: { _tag: "Undeclared", found: 2 }
}

const after: Aftermath = {
  reports: [],
  stray: { first: ["Hello!"], count: 3 },
  stderr: [],
  left: { code: null, signal: "SIGTERM" },
  restarted: undefined,
  trouble: undefined
}

describe("a page", () => {
  it("has everything on it, within its width", () => {
    const text = page(survey, diagnose(survey, after), { width: 72, paint: noPaint, full: false })
    expect(text).toBe(`The Shop (shop) 1.2.3
Sells things.
https://shop.example
started by node server.js
speaks 2025-06-18, opened by initialize; asked for 2025-11-25 · open in
12 ms
3 things look off, see the end

Opening
  0.4 ms  → initialize                 asks for 2025-11-25, declares
                                       nothing
   12 ms  ← result                     2025-06-18, shop 1.2.3, declares
                                       tools
   13 ms  → notifications/initialized

Instructions
  Look before you buy.

  - Prices are in euros, and include everything that has to be paid

Capabilities
  tools      listChanged
  resources  no subscribe
  tasks      list (not in 2025-06-18)
  not declared: prompts, completions, logging

Tools  2 · 1 malformed left out · 3.0 ms
  buy  Buy  writes, may destroy, each call counts, reaches outside
    Buys it.
    what    string       required  Its name
    count   integer ≥ 1            default 1
    to      object                 Where to
      city  string       required
    gives
      paid  number  required

  look  only reads
    Looks.
    takes no arguments

Resources  1 · 1.0 ms
  shop://prices  prices  text/csv, 2.0 kB, for user, priority 1

Resource templates  0 · 1.0 ms

Prompts  not declared, and 2 answered

Remarks
  ✗ One of the tools is malformed and was left out: name: expected a
    string in {"name":1}
  ✗ Prompts were answered (2) that were not declared: clients will not
    ask for them. Declare the capability.
  ✗ 3 lines on its stdout were no JSON: stdout is for messages, logs
    belong on stderr. The first: "Hello!"
  · It did not leave at the end of its input, and had to be ended by
    SIGTERM.
  · Asked for 2025-11-25, it answered 2025-06-18: what is newer than
    that is not used.
  · Capability tasks is not in 2025-06-18, and is not used.`)
    expect(exitOf(survey, after)).toBe(0)
  })

  it("says the same in colours", () => {
    const remarks = diagnose(survey, after)
    const coloured = page(survey, remarks, { width: 72, paint: paints, full: false })
    expect(coloured).toContain("\u001b[1;35mOpening\u001b[22;39m")
    // oxlint-disable-next-line no-control-regex -- colours are what is to be seen here
    expect(coloured.replaceAll(/\u001b\[[\d;]*m/g, "")).toBe(
      page(survey, remarks, { width: 72, paint: noPaint, full: false })
    )
  })
})
