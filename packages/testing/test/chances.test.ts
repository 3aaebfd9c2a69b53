/** What conversations give a chance to show: each of these is drawn often enough that a lie about it is found. */
import { extended } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { ClientRun, ServerRun } from "@parley/testing"
import { clientConversation, conversations, serverConversation } from "@parley/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clientCapabilities } from "../src/asker.js"
import { fields, own } from "../src/envelope.js"
import { isOffered } from "../src/specification.js"
import { client } from "./client-definitions.js"
import { both } from "./definitions.js"
import { diggers, parleyTest } from "./parley-test.js"

const { id } = parleyTest
// One of its schemas is loaded on demand.
await diggers().server.ready
const drawn = fc.sample(conversations(), { numRuns: 600, seed: 23 })
const spoken = revisions.map((revision) => extended(revision, [parleyTest]))
const announced = { extensions: { [id]: {} } }

/** How often it came about in all of them. */
function tally<R>(runs: ReadonlyArray<R>, happened: (run: R) => Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const run of runs) for (const what of happened(run)) counts.set(what, (counts.get(what) ?? 0) + 1)
  return counts
}

const least = (counts: ReadonlyMap<string, number>, table: Readonly<Record<string, number>>): void => {
  const rare = Object.entries(table).filter(([what, times]) => (counts.get(what) ?? 0) < times)
  expect(rare.map(([what, times]) => `${what}: ${counts.get(what) ?? 0} times, and ${times} are wanted`)).toEqual([])
}

const paths = ["roots", "sampling", "sampling.tools", "sampling.context", "elicitation.form", "elicitation.url"]

/** Each capability alone, and each two: both, one without the other, and neither. */
function* declaredBy(prefix: string, revision: "2026-07-28" | "2025-11-25", said: unknown): Iterable<string> {
  const has = (path: string): boolean =>
    path === id ? own(own(said, "extensions"), id) !== undefined : isOffered(revision, said, path)
  for (const one of [...paths, id])
    for (const other of [...paths, id])
      if (one < other && !other.startsWith(`${one}.`))
        yield `${prefix}: ${has(one) ? "" : "no "}${one}, ${has(other) ? "" : "no "}${other}`
}

/** Every such pair, at least so often. */
const pairs = (prefix: string, times: number): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...declaredBy(prefix, "2026-07-28", {})].flatMap((line) => {
      const [one, other] = line
        .slice(prefix.length + 2)
        .split(", ")
        .map((name) => name.replace("no ", ""))
      return ["", "no "].flatMap((first) =>
        ["", "no "].map((second) => [`${prefix}: ${first}${one}, ${second}${other}`, times] as const)
      )
    })
  )

describe("of a server's conversations", () => {
  const definition = { ...both, revisions: spoken, capabilities: { ...both.capabilities, ...announced } }
  const runs = drawn.map((one) => serverConversation(definition, one))

  it("clients declare each capability, and each part of one, whatever else they declare", () => {
    const said = function* ({ steps }: ServerRun): Iterable<string> {
      for (const { input } of steps) {
        if (input._tag !== "Received") continue
        const params = own(input.json, "params")
        const meta = own(own(params, "_meta"), clientCapabilities)
        if (typeof meta === "object") yield* declaredBy("envelope", "2026-07-28", meta)
        if (own(input.json, "method") === "initialize")
          yield* declaredBy("handshake", "2025-11-25", own(params, "capabilities"))
      }
    }
    least(tally(runs, said), { ...pairs("envelope", 100), ...pairs("handshake", 12) })
  })

  it("what an extension has is asked for, answered and told", () => {
    const happened = function* ({ steps }: ServerRun): Iterable<string> {
      for (const { input, outputs } of steps) {
        if (input._tag === "Succeeded" && own(input.result, "resultType") === "job") yield "job returned"
        for (const output of outputs) {
          if (output._tag === "Invoke" && output.target._tag === "Method") yield `${output.target.method} served`
          if (output._tag !== "Send") continue
          const message = fields(output.message)
          if (own(message["result"], "resultType") === "job") yield "job answered"
          if (own(message["result"], "jobId") !== undefined && own(message["result"], "status") !== undefined)
            yield "status answered"
          const method = String(message["method"])
          if (method.startsWith("notifications/jobs")) yield `${method} told`
          const data = own(own(message["error"], "data"), "requiredCapabilities")
          if (own(data, "extensions") !== undefined) yield "refused with -32021"
          const honoured = fields(own(message["params"], "notifications"))
          if ("jobs" in honoured) yield "jobs honoured"
          if ("jobsIdle" in honoured) yield "idle honoured"
        }
      }
    }
    least(tally(runs, happened), {
      "jobs/get served": 20,
      "jobs/wait served": 20,
      "jobs/count served": 10,
      "job returned": 20,
      "job answered": 10,
      "status answered": 5,
      "refused with -32021": 20,
      "jobs honoured": 20,
      "idle honoured": 20,
      "notifications/jobs/changed told": 5,
      "notifications/jobs/idle told": 5
    })
  })
})

describe("of a client's conversations", () => {
  const definition = client(announced, { revisions: spoken })
  const runs = drawn.map((one) => clientConversation(definition, one))

  it("what an extension has is called, answered and heard", () => {
    const happened = function* ({ steps }: ClientRun): Iterable<string> {
      for (const { input, outputs } of steps)
        for (const output of outputs) {
          if (output._tag === "Opened")
            yield own(own(output.peer.capabilities, "extensions"), id) === undefined ? "not announced" : "announced"
          if (output._tag === "Send" && input._tag === "Called") yield `${input.method} sent`
          if (output._tag === "Settle" && output.outcome._tag === "Succeeded") {
            if (own(output.outcome.result, "resultType") === "job") yield "job settled"
            if (own(output.outcome.result, "status") !== undefined) yield "status settled"
          }
          if (output._tag === "Settle" && input._tag === "Received" && output.outcome._tag === "Failed")
            if (own(own(input.json, "result"), "resultType") === "job") yield "job refused"
          if (output._tag === "Acknowledged" && "jobs" in output.honoured) yield "jobs honoured"
          if (output._tag === "Notice" && output.method.startsWith("notifications/jobs")) yield `${output.method} heard`
          if (
            output._tag === "Report" &&
            output.report._tag === "Ignored" &&
            output.report.why.includes("was not to tell")
          )
            yield "not heard"
        }
    }
    least(tally(runs, happened), {
      announced: 60,
      "not announced": 20,
      "jobs/get sent": 20,
      "jobs/wait sent": 20,
      "job settled": 15,
      "job refused": 3,
      "status settled": 5,
      "jobs honoured": 20,
      "notifications/jobs/changed heard": 5,
      "notifications/jobs/idle heard": 5,
      "not heard": 5
    })
  })
})
