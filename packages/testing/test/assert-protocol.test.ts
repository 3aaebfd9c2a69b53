/** A server or client that breaks its word is found, and the conversation shown is as short as can be. */
import type { Definition, Revision, Row } from "@parley/core"
import type { ClientDefinition } from "@parley/core/client"
import { v2025_11_25 } from "@parley/core/revisions"
import { assertClientProtocol, assertProtocol } from "@parley/testing"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { clients, servers } from "./definitions.js"

const [tools] = servers["with tools"]!
const [silent] = clients["that can be asked nothing"]!

/** The newest revision with one column of one row changed. */
const but = (side: "client" | "server", method: string, columns: object): Revision => ({
  ...v2025_11_25,
  [side]: { ...v2025_11_25[side], [method]: { ...v2025_11_25[side][method], ...columns } as Row }
})

const failure = (run: () => void): string => {
  try {
    run()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was found"
}

describe("a server", () => {
  const broken = (revision: Revision): Definition => ({ ...tools, revisions: [revision] })

  it("that serves what it did not declare is found", () => {
    const definition = broken(but("client", "resources/list", { needs: undefined }))
    const text = failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))
    expect(text).toMatch("Invariant 1 is broken: No undeclared method ever succeeds, nor reaches a handler.")
    expect(text).toMatch('"resources/list" was served, and nobody declared it')
    expect(text).toMatch("See it again with { seed: 1 }.")
  })

  it("is shown by a transcript without anything that need not be there", () => {
    const definition = broken(but("client", "resources/list", { needs: undefined }))
    const configured = fc.readConfigureGlobal()
    fc.configureGlobal({ ...configured, endOnFailure: false })
    const text = failure(() => assertProtocol({ definition }, { runs: 2000, seed: 2 }))
    fc.configureGlobal(configured)
    const came = text.split("\n").filter((line) => line.startsWith("-> "))
    expect(came.length).toBeLessThanOrEqual(3)
    expect(came.at(-1)).toMatch('"method":"resources/list"')
    expect(text).toMatch("   (Unopened)\n")
    expect(text).toMatch("   (Opened, 2025-11-25)\n")
    expect(text).toMatch("!! ")
  })

  it("that does not know what it declared is found", () => {
    const definition = broken(but("client", "tools/list", { needs: "server.prompts" }))
    expect(failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      "Invariant 2 is broken: No declared method is ever answered"
    )
  })

  it("that answers before its time is found", () => {
    const definition: Definition = { ...broken(but("client", "tools/list", { when: "always" })), early: "refuse" }
    expect(failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch("Invariant 5 is broken")
  })

  it.each([
    ["description", { description: 5 }],
    ["title", { title: 5 }],
    ["annotations", { annotations: "x" }],
    ["inputSchema.type", { inputSchema: { type: "array" } }]
  ])("whose tool has a wrong %s is found", (member, odd) => {
    const tool = { name: "odd", inputSchema: { type: "object" }, ...odd }
    const definition = { ...tools, tools: [...tools.tools, tool] } as unknown as Definition
    const text = failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))
    expect(text).toMatch("Invariant 8 is broken")
    expect(text).toMatch(`the tool "odd" is not valid: ${member} must be`)
  })

  it.each([
    ["serverInfo.name", { info: { name: 5, version: "1" } }],
    ["instructions", { instructions: 5 }]
  ])("that says a wrong %s of itself is found", (member, odd) => {
    const definition = { ...tools, ...odd } as unknown as Definition
    expect(failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      `the result of initialize is not valid: ${member} must be`
    )
  })

  it("is not passed when there was no time for all the conversations", () => {
    expect(failure(() => assertProtocol({ definition: tools }, { timeLimitMs: 0 }))).toBe(
      "Only 0 of 200 conversations could be had within 0 ms."
    )
  })

  it("that keeps its word is not", () => {
    expect(failure(() => assertProtocol({ definition: tools }, { runs: 20 }))).toBe("nothing was found")
  })
})

describe("a client", () => {
  it("that can be asked what it did not declare is found", () => {
    const definition = { ...silent, revisions: [but("server", "roots/list", { needs: undefined })] }
    expect(failure(() => assertClientProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      '"roots/list" was served, and nobody declared it'
    )
  })

  it("that says a wrong thing of itself is found", () => {
    const definition = { ...silent, info: { name: 5, version: "1" } } as unknown as ClientDefinition
    expect(failure(() => assertClientProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      "the params of initialize is not valid: clientInfo.name must be"
    )
  })

  it("that keeps its word is not", () => {
    expect(failure(() => assertClientProtocol({ definition: silent }, { runs: 20 }))).toBe("nothing was found")
  })
})
