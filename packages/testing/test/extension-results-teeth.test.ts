/** Either side that gets something wrong about what an extension adds is found: its results, its notifications, and who has announced it. */
import type { JsonObject } from "@parley/core"
import { extended } from "@parley/core"
import type { ClientMachine, Input, Output } from "@parley/core/client"
import { clientMachine } from "@parley/core/client"
import { revisions } from "@parley/core/revisions"
import { brokenBy, clientConversation, conversations, invariants } from "@parley/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { codeOf, own } from "../src/envelope.js"
import type { Broken } from "./broken-servers.js"
import { asIf, found, isWhole, key, results, sends, told, without } from "./broken-servers.js"
import { client } from "./client-definitions.js"
import { both } from "./definitions.js"
import { diggers, parleyTest } from "./parley-test.js"

const { id } = parleyTest
// One of its schemas is loaded on demand.
await diggers().server.ready
const spoken = revisions.map((revision) => extended(revision, [parleyTest]))
const announced = { extensions: { [id]: {} } }

describe("a server", () => {
  const definition = { ...both, revisions: spoken, capabilities: { ...both.capabilities, ...announced } }
  const everybodyHasIt = asIf((meta) => {
    if (!isWhole(meta)) return meta
    return { ...meta, [key("clientCapabilities")]: { ...(meta[key("clientCapabilities")] as object), ...announced } }
  })
  const isJob = (result: JsonObject): boolean => result["resultType"] === "job"
  const unsaid = results((result) =>
    "supportedVersions" in result
      ? { ...result, capabilities: without(result["capabilities"] as JsonObject, "extensions") }
      : result
  )
  /** What it tells would be found first. */
  const quiet = told(/jobs\//, () => undefined)
  it.each<[string, number, RegExp, Broken]>([
    ["serves its methods to who has not announced it", 1, /"jobs\/\w+" was served/, { takes: everybodyHasIt }],
    [
      "answers by its results who has not announced it",
      7,
      /was answered by a result of com.example\/parley-test, which not both/,
      { takes: everybodyHasIt, puts: quiet }
    ],
    ["promises to tell who has not announced it", 9, /is honoured, where/, { takes: everybodyHasIt }],
    ["serves its methods and does not say so", 1, /"jobs\/\w+" was served/, { puts: unsaid }],
    [
      "answers by its results and does not say so",
      7,
      /by a result of/,
      { puts: (outputs, input) => quiet(unsaid(outputs, input), input) }
    ],
    ["tells of it and does not say so", 7, /notifications\/jobs\/\w+ was sent, and not both sides/, { puts: unsaid }],
    [
      "answers by a result that it has not",
      8,
      /judged by its extension/,
      { puts: results((result) => (isJob(result) ? { ...result, jobId: 7 } : result)) }
    ],
    [
      "answers its methods by what is no result of theirs",
      8,
      /jobs\/\w+ \(result\) is not valid .* judged by its extension/,
      { puts: results((result) => ("jobId" in result && !isJob(result) ? without(result, "status") : result)) }
    ],
    [
      "tells what is no notification of its",
      8,
      /judged by its extension/,
      {
        puts: told(/jobs\/changed/, ({ params, ...rest }) => ({
          ...rest,
          params: without(params as JsonObject, "status")
        }))
      }
    ],
    [
      "tells of what a stream did not name",
      9,
      /did not ask for that/,
      {
        puts: told(/jobs\/changed/, ({ params, ...rest }) => ({
          ...rest,
          params: { ...(params as JsonObject), jobId: "another" }
        }))
      }
    ],
    ["tells nobody", 9, /notifications\/jobs\/\w+ was due on/, { puts: told(/jobs\//, () => undefined) }],
    [
      "does not say that it would have to be announced",
      2,
      /needs extensions.com.example\/parley-test, and who did not declare it was answered with -32602/,
      {
        puts: sends((message) =>
          codeOf(message) === -32021
            ? { jsonrpc: "2.0", id: message["id"]!, error: { code: -32602, message: "" } }
            : message
        )
      }
    ]
  ])("that %s is found", (_, number, why, broken) => expect(found(number, { definition, ...broken })).toMatch(why))
})

describe("a client", () => {
  const definition = client(announced, { revisions: spoken })
  const drawn = fc.sample(conversations(), { numRuns: 600, seed: 29 })

  /** How that invariant finds a client whose outputs are changed so. */
  function foundIn(number: number, change: (output: Output, input: Input) => Output | undefined): string {
    const real = clientMachine(definition)
    const step: ClientMachine["step"] = (state, input) => {
      const [next, outputs] = real.step(state, input)
      return [next, outputs.flatMap((output) => change(output, input) ?? [])]
    }
    const { check } = invariants.find((one) => one.number === number)!
    for (const one of drawn) {
      const why = check(clientConversation(definition, one, {}, { ...real, step }))?.why
      if (why !== undefined) return why
    }
    return "nothing was found"
  }

  const jobIn = (input: Input): JsonObject | undefined => {
    const result = input._tag === "Received" ? own(input.json, "result") : undefined
    return own(result, "resultType") === "job" ? (result as JsonObject) : undefined
  }
  const failed = (output: Output): boolean => output._tag === "Settle" && output.outcome._tag === "Failed"
  const isNews = (output: Output): boolean => output._tag === "Notice" && output.method.startsWith("notifications/jobs")
  const takes = (output: Output, input: Input): Output => {
    const result = jobIn(input)
    return output._tag === "Settle" && result !== undefined
      ? { ...output, outcome: { _tag: "Succeeded", result } }
      : output
  }

  it("that breaks nothing is not found", () => {
    for (const one of drawn.slice(0, 60)) expect(brokenBy(clientConversation(definition, one))).toBeUndefined()
  })
  it("that asks a server which has not announced it is found", () =>
    expect(
      foundIn(1, (output, input) => {
        if (input._tag !== "Called" || !input.method.startsWith("jobs/") || !failed(output)) return output
        if (JSON.stringify(output).includes("NotOpen")) return output
        const { call, method, params = {} } = input
        const message = { jsonrpc: "2.0", id: call, method, params } as const
        return { _tag: "Send", message, via: undefined, last: false, text: undefined }
      })
    ).toMatch("was sent, and not both sides have announced com.example/parley-test"))
  it("that takes its results from a server which has not announced it is found", () =>
    expect(foundIn(1, takes)).toMatch(/was settled by a result/))
  it("that does not take its results is found", () =>
    expect(
      foundIn(2, (output, input) =>
        output._tag === "Settle" && jobIn(input) !== undefined
          ? {
              ...output,
              outcome: { _tag: "Failed", error: { _tag: "NotOpen", method: "tools/call", why: "a job" } }
            }
          : output
      )
    ).toMatch("was answered by a result of com.example/parley-test, and has failed"))
  it("that does not ask for what the server has announced is found", () =>
    expect(
      foundIn(2, (output, input) => {
        if (input._tag !== "Called" || input.method !== "jobs/get" || output._tag !== "Send") return output
        const error = { _tag: "MethodUnknown", method: input.method, revision: "2026-07-28" } as const
        return { _tag: "Settle", call: input.call, outcome: { _tag: "Failed", error } }
      })
    ).toMatch("jobs/get is declared by the server and was not sent"))
  it("that hears of what it did not name is found", () =>
    expect(
      foundIn(9, (output, input) => {
        if (output._tag !== "Report" || input._tag !== "Received") return output
        const [method, params] = [own(input.json, "method"), own(input.json, "params") as JsonObject]
        if (method !== "notifications/jobs/changed" || !JSON.stringify(output).includes("was not to tell"))
          return output
        return { _tag: "Notice", method, params, about: own(params["_meta"], key("subscriptionId")) as number }
      })
    ).toMatch("notifications/jobs/changed was heard on"))
  it("that keeps its news to itself is found", () =>
    expect(foundIn(9, (output) => (isNews(output) ? undefined : output))).toMatch(
      /notifications\/jobs\/\w+ came on \d+, and was not heard/
    ))
})
