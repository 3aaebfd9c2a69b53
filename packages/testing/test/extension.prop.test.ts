/** A server and a client with the small extension keep every invariant. */
import { extended } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import { assertClientProtocol, assertProtocol, brokenBy, serverConversation } from "@parley/testing"
import { expect, it } from "vitest"
import { drawn } from "./broken-servers.js"
import { both } from "./definitions.js"
import { diggers, parleyTest } from "./parley-test.js"

const { id } = parleyTest

it("the server, whose methods are served meanwhile", async () => {
  const { server } = diggers()
  await assertProtocol(server, { runs: 60 })
  const served = new Set<string>()
  for (const one of drawn.slice(0, 60)) {
    const run = serverConversation(server.definition, one)
    expect(brokenBy(run)).toBeUndefined()
    for (const { outputs } of run.steps)
      for (const output of outputs)
        if (output._tag === "Invoke" && output.target._tag === "Method") served.add(output.target.method)
  }
  expect([...served].toSorted()).toEqual(["jobs/count", "jobs/get", "jobs/wait"])
})

it("a server that declares everything beside it", async () => {
  const definition = {
    ...both,
    revisions: revisions.map((revision) => extended(revision, [parleyTest])),
    capabilities: { ...both.capabilities, extensions: { [id]: {} } }
  }
  await assertProtocol({ definition }, { runs: 60 })
})

it("a client", () => {
  const definition = {
    info: { name: "client", version: "1.0.0" },
    capabilities: { extensions: { [id]: {} } },
    revisions: revisions.map((revision) => extended(revision, [parleyTest]))
  }
  assertClientProtocol({ definition }, { runs: 60 })
})
