/** A server or client that breaks its word is found, and the conversation shown is as short as can be. */
import type { Definition, Revision, Row } from "@parley/core"
import { v2025_11_25 } from "@parley/core/revisions"
import { defineServer, live, tool } from "@parley/server"
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

const failure = async (run: () => void | Promise<void>): Promise<string> => {
  try {
    await run()
  } catch (error) {
    return (error as Error).message
  }
  return "nothing was found"
}

const broken = (revision: Revision): Definition => ({ ...tools, revisions: [revision] })

describe("a server", () => {
  it("that serves what it did not declare is found", async () => {
    const definition = broken(but("client", "resources/list", { needs: undefined }))
    const text = await failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))
    expect(text).toMatch("Invariant 1 is broken: No undeclared method ever succeeds, nor reaches a handler.")
    expect(text).toMatch('"resources/list" was served, and nobody declared it')
    expect(text).toMatch("See it again with { seed: 1 }.")
  })

  it("is shown by a transcript without anything that need not be there", async () => {
    const definition = broken(but("client", "resources/list", { needs: undefined }))
    const configured = fc.readConfigureGlobal()
    fc.configureGlobal({ ...configured, endOnFailure: false })
    const text = await failure(() => assertProtocol({ definition }, { runs: 2000, seed: 2 }))
    fc.configureGlobal(configured)
    const came = text.split("\n").filter((line) => line.startsWith("-> "))
    expect(came.length).toBeLessThanOrEqual(3)
    expect(came.at(-1)).toMatch('"method":"resources/list"')
    expect(text).toMatch("   (Unopened)\n")
    expect(text).toMatch("   (Opened, 2025-11-25)\n")
    expect(text).toMatch("!! ")
  })

  it("that does not know what it declared is found", async () => {
    const definition = broken(but("client", "tools/list", { needs: "server.prompts" }))
    expect(await failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      "Invariant 2 is broken: No declared method is ever answered"
    )
  })

  it("that answers before its time is found", async () => {
    const definition: Definition = { ...broken(but("client", "tools/list", { when: "always" })), early: "refuse" }
    expect(await failure(() => assertProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      "Invariant 5 is broken"
    )
  })

  it("that keeps its word is not", async () => {
    expect(await failure(() => assertProtocol({ definition: tools }, { runs: 20 }))).toBe("nothing was found")
  })
})

describe("a server that is not ready yet", () => {
  it("is waited for, and its failure to be is told", async () => {
    let ready = false
    const late = Promise.resolve().then(() => {
      ready = true
    })
    const subject = {
      ready: late,
      get definition() {
        if (!ready) throw new Error("too early")
        return tools
      }
    }
    expect(await failure(() => assertProtocol(subject, { runs: 5 }))).toBe("nothing was found")
    const refused = { definition: tools, ready: Promise.reject(new Error("refused")) }
    expect(await failure(() => assertProtocol(refused, { runs: 5 }))).toBe("refused")
  })
})

describe("a live server", () => {
  it("is judged as it is now", async () => {
    const changing = live(defineServer({ name: "s", version: "1" }, [], { declare: { tools: { listChanged: true } } }))
    await changing.set([tool("late", {}, () => "")])
    expect(await failure(() => assertProtocol(changing, { runs: 20 }))).toBe("nothing was found")
    const definition = broken(but("client", "tools/list", { needs: "server.prompts" }))
    expect(await failure(() => assertProtocol({ server: { definition } }, { runs: 2000, seed: 1 }))).toMatch(
      "Invariant 2 is broken"
    )
  })
})

describe("a client", () => {
  it("that can be asked what it did not declare is found", async () => {
    const definition = { ...silent, revisions: [but("server", "roots/list", { needs: undefined })] }
    expect(await failure(() => assertClientProtocol({ definition }, { runs: 2000, seed: 1 }))).toMatch(
      '"roots/list" was served, and nobody declared it'
    )
  })

  it("that keeps its word is not", async () => {
    expect(await failure(() => assertClientProtocol({ definition: silent }, { runs: 20 }))).toBe("nothing was found")
  })
})
