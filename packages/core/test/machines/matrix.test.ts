/** Clients and servers of either kind, and of both: who gets on with whom, and how the others find out that they do not. */
import { describe, expect, it } from "vitest"
import type { CallError, ClientDefinition, Prior } from "../../src/client/index.js"
import { explain } from "../../src/client/index.js"
import type { Definition } from "../../src/definition.js"
import { handshakeRevisions, perRequestRevisions, revisions } from "../../src/revisions/index.js"
import { serverMachine } from "../../src/server/index.js"
import { called, define as client, fired } from "../client/by-hand.js"
import { define as server, enveloped, everything, initialize, initialized, messages } from "../server/by-hand.js"
import type { Options, Pair } from "./pair.js"
import { pair } from "./pair.js"

const speaking = { legacy: handshakeRevisions, modern: perRequestRevisions, dual: revisions }
type Kind = keyof typeof speaking
const names = (kind: Kind) => speaking[kind].map(({ name }) => name)

const serving = (kind: Kind): Definition => server(everything, { revisions: speaking[kind] })
const asking = (kind: Kind, rest: Partial<ClientDefinition> = {}): ClientDefinition =>
  client({ elicitation: {} }, { revisions: speaking[kind], ...rest })

function meet(us: Kind, them: Kind, rest: Partial<ClientDefinition> = {}, options: Options = {}): Pair {
  const two = pair(serving(them), asking(us, rest), options)
  two.toClient({ _tag: "Open" })
  two.flush()
  return two
}

const outputsOf = <Tag extends Pair["heard"][number]["_tag"]>({ heard }: Pair, tag: Tag) =>
  heard.filter((output): output is Extract<Pair["heard"][number], { _tag: Tag }> => output._tag === tag)

/** A tool is called, which asks before it answers. */
function works(two: Pair, revision: string): void {
  expect(outputsOf(two, "Opened")).toMatchObject([{ peer: { revision } }])
  const call = two.near().last + 1
  two.toClient(called(call, "tools/call", { name: "slow" }))
  two.flush()
  const invoked = () => two.run.findLast((output) => output._tag === "Invoke")!
  const question = {
    key: "guests",
    method: "elicitation/create",
    params: { message: "How many?", requestedSchema: { type: "object" as const, properties: {} } }
  }
  two.toServer({ _tag: "NeedsInput", ...idsOf(invoked()), questions: [question], once: { a: 1 } })
  two.flush()
  const put = outputsOf(two, "Ask").at(-1)!
  expect(put).toMatchObject({ method: "elicitation/create", params: question.params })
  two.move()
  two.toClient({ _tag: "Answered", ask: put.ask, id: put.id, result: { action: "accept", content: { guests: 2 } } })
  two.flush()
  expect(invoked()).toMatchObject({
    answers: { guests: { _tag: "Answered", result: { action: "accept", content: { guests: 2 } } } },
    once: { a: 1 }
  })
  two.toServer({ _tag: "Succeeded", ...idsOf(invoked()), result: { content: [] } })
  two.flush()
  expect(outputsOf(two, "Settle").filter((settled) => settled.call === call)).toMatchObject([
    { outcome: { _tag: "Succeeded", result: { content: [] } } }
  ])
}

const idsOf = ({ call, id }: { readonly call: number; readonly id: string | number }) => ({ call, id })

function fails(two: Pair): CallError {
  const [failed] = outputsOf(two, "OpenFailed")
  expect(outputsOf(two, "Opened")).toEqual([])
  expect(outputsOf(two, "Close")).toHaveLength(1)
  expect(two.run.filter(({ _tag }) => _tag === "Invoke")).toEqual([])
  return failed!.failure
}

const priorOf = (two: Pair): Prior => outputsOf(two, "Opened")[0]!.prior

const methods = ({ sent }: Pair): ReadonlyArray<string> =>
  sent.flatMap((line) => (line.startsWith("-> ") ? [(JSON.parse(line.slice(3)) as { method: string }).method] : []))

/** Nothing of the revisions without a handshake is said by either. */
const sayNothingNew = ({ sent }: Pair): void => {
  for (const line of sent) expect(line).not.toMatch(/io\.modelcontextprotocol|resultType|ttlMs|cacheScope|discover/)
}

describe("a client of revisions with a handshake", () => {
  it("works with a server of them", () => {
    const two = meet("legacy", "legacy")
    works(two, "2025-11-25")
    expect(methods(two).slice(0, 2)).toEqual(["initialize", "notifications/initialized"])
    sayNothingNew(two)
  })

  it("is told by a server of others what that speaks, and shows both lists", () => {
    const two = meet("legacy", "modern")
    const failure = fails(two)
    expect(failure).toMatchObject({
      _tag: "VersionUnsupported",
      offered: ["2026-07-28"],
      spoken: names("legacy"),
      error: { code: -32602, message: expect.stringContaining("2026-07-28") as string }
    })
    for (const name of names("dual")) expect(explain(failure)).toContain(name)
    expect(methods(two)).toEqual(["initialize"])
  })

  it("works with a server of both, and hears nothing of the others", () => {
    const two = meet("legacy", "dual")
    works(two, "2025-11-25")
    sayNothingNew(two)
  })

  it.each(names("legacy"))("works with a server of both as of %s", (prefer) => {
    const two = meet("dual", "dual", { prefer })
    expect(outputsOf(two, "Opened")).toMatchObject([{ asked: prefer, peer: { revision: prefer } }])
    sayNothingNew(two)
  })
})

describe("a client of revisions without a handshake", () => {
  it("is told by a server of others what that speaks, shows both lists, and has called nothing", () => {
    const two = meet("modern", "legacy")
    const failure = fails(two)
    expect(failure).toMatchObject({
      _tag: "VersionUnsupported",
      asked: "2026-07-28",
      offered: names("legacy"),
      spoken: ["2026-07-28"],
      error: { code: -32600 }
    })
    for (const name of names("dual")) expect(explain(failure)).toContain(name)
    expect(methods(two)).toEqual(["server/discover"])
  })

  it("gives up on one that is silent", () => {
    const two = pair(serving("legacy"), asking("modern"))
    two.toClient({ _tag: "Open" })
    two.toClient(fired("probe"))
    expect(fails(two)).toMatchObject({ _tag: "TimedOut", method: "server/discover", ms: 3_000 })
    expect(methods(two)).toEqual(["server/discover"])
  })

  it.each<Kind>(["modern", "dual"])("works with a server that is %s, and says with every request who asks", (them) => {
    const two = meet("modern", them)
    works(two, "2026-07-28")
    expect(methods(two)).toEqual(["server/discover", "tools/call", "tools/call"])
    for (const line of two.sent) {
      if (!line.startsWith("-> ")) continue
      expect(JSON.parse(line.slice(3))).toMatchObject({
        params: {
          _meta: {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": { name: "by-hand", version: "1.0.0" },
            "io.modelcontextprotocol/clientCapabilities": { elicitation: {} }
          }
        }
      })
    }
    expect(two.far().phase._tag).toBe("Unopened")
  })
})

describe("a client of both", () => {
  it("works with a server with a handshake, and asks it once", () => {
    const two = meet("dual", "legacy")
    works(two, "2025-11-25")
    expect(methods(two).slice(0, 3)).toEqual(["server/discover", "initialize", "notifications/initialized"])
  })

  it("works with one that is silent at first; what that says late of the question is nothing", () => {
    const two = pair(serving("legacy"), asking("dual"))
    two.toClient({ _tag: "Open" })
    two.toClient(fired("probe"))
    two.flush()
    works(two, "2025-11-25")
    expect(methods(two).filter((method) => method === "initialize")).toHaveLength(1)
  })

  it("remembers it, and asks no more", () => {
    const prior = priorOf(meet("dual", "legacy"))
    expect(prior).toEqual({ _tag: "Handshake" })
    const two = meet("dual", "legacy", {}, { client: { prior } })
    works(two, "2025-11-25")
    expect(methods(two).slice(0, 2)).toEqual(["initialize", "notifications/initialized"])
    const grown = meet("dual", "modern", {}, { client: { prior } })
    works(grown, "2026-07-28")
  })

  it.each<Kind>(["modern", "dual"])("works with a server that is %s, and initializes nothing", (them) => {
    const two = meet("dual", them)
    works(two, "2026-07-28")
    expect(methods(two)).toEqual(["server/discover", "tools/call", "tools/call"])
    expect(two.far().phase._tag).toBe("Unopened")
  })

  it.each<Kind>(["modern", "dual"])("works with a server that is %s and slow: its late answer counts", (them) => {
    const two = pair(serving(them), asking("dual"))
    two.toClient({ _tag: "Open" })
    two.toClient(fired("probe"))
    two.flush()
    works(two, "2026-07-28")
    expect(methods(two)).not.toContain("notifications/initialized")
  })

  it("remembers it, and works at once", () => {
    const prior = priorOf(meet("dual", "dual"))
    const two = meet("dual", "dual", {}, { client: { prior } })
    works(two, "2026-07-28")
    expect(methods(two)).toEqual(["tools/call", "tools/call"])
    const older = meet("dual", "legacy", {}, { client: { prior } })
    older.toClient(called(1, "tools/list"))
    older.flush()
    expect(outputsOf(older, "Settle")).toMatchObject([{ outcome: { _tag: "Failed" } }])
    expect(outputsOf(older, "Close")).toMatchObject([{ reason: expect.stringContaining("prior") as string }])
  })

  it("speaks as it prefers", () => {
    const two = meet("dual", "dual", { prefer: "oldest" })
    expect(outputsOf(two, "Opened")).toMatchObject([{ asked: "2024-11-05", peer: { revision: "2024-11-05" } }])
    sayNothingNew(two)
  })

  it("is asked for what it prefers by a server of one kind only", () => {
    works(meet("dual", "modern", { prefer: "oldest" }), "2026-07-28")
    expect(fails(meet("dual", "modern", { prefer: "2025-11-25" }))).toMatchObject({ _tag: "VersionUnsupported" })
    expect(fails(meet("dual", "legacy", { prefer: "2026-07-28" }))).toMatchObject({ _tag: "VersionUnsupported" })
    works(meet("dual", "dual", { prefer: "2026-07-28" }), "2026-07-28")
    works(meet("dual", "dual", { prefer: "2025-11-25" }), "2025-11-25")
  })
})

describe("two clients of different kinds on one channel", () => {
  it("see nothing of each other's levels and subscriptions", () => {
    const machine = serverMachine(serving("dual"))
    let state = machine.initial
    const hear = (json: unknown, via: string) => {
      const [next, outputs] = machine.step(state, { _tag: "Received", json, via })
      state = next
      return outputs
    }
    const tell = (input: Parameters<typeof machine.step>[1]) => {
      const [next, outputs] = machine.step(state, input)
      state = next
      return outputs
    }
    hear(initialize("2025-11-25"), "old")
    hear(initialized, "old")
    hear({ jsonrpc: "2.0", id: 1, method: "logging/setLevel", params: { level: "error" } }, "old")
    hear({ jsonrpc: "2.0", id: 2, method: "resources/subscribe", params: { uri: "a:1" } }, "old")
    const notifications = { toolsListChanged: true, resourceSubscriptions: ["a:2"] }
    hear(enveloped(3, "subscriptions/listen", { notifications }), "new")
    const run = hear(
      enveloped(4, "tools/call", { name: "slow" }, { "io.modelcontextprotocol/logLevel": "debug" }),
      "new"
    ).find((output) => output._tag === "Invoke")!
    const vias = (outputs: ReturnType<typeof tell>) =>
      outputs.flatMap((output) => (output._tag === "Send" ? [output.via] : []))
    expect(vias(tell({ _tag: "Updated", uri: "a:1" }))).toEqual([undefined])
    expect(vias(tell({ _tag: "Updated", uri: "a:2" }))).toEqual(["new"])
    expect(vias(tell({ _tag: "Logged", level: "debug", data: 1 }))).toEqual([])
    expect(vias(tell({ _tag: "Logged", level: "debug", data: 1, about: idsOf(run) }))).toEqual(["new"])
    expect(vias(tell({ _tag: "Logged", level: "error", data: 1 }))).toEqual([undefined])
    const changed = messages(tell({ _tag: "Changed", families: ["tools"] }))
    expect(changed).toHaveLength(2)
    expect(changed.filter((message) => JSON.stringify(message).includes("subscriptionId"))).toHaveLength(1)
  })
})
