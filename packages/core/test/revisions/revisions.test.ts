/** Each revision's tables are complete, and hold together. */
import { describe, expect, test } from "vitest"
import { hasMember } from "../../src/has-member.js"
import { hasName } from "../../src/narrow.js"
import { handshakeRevisions, perRequestRevisions, revisionNamed, revisions } from "../../src/revisions/index.js"
import type { Party, Row } from "../../src/row.js"
import { messages, official, present } from "./official.js"

const parties: ReadonlyArray<Party> = ["client", "server"]

test("newest first, found by their exact names and by no other", () => {
  const names = revisions.map((revision) => revision.name)
  expect(names).toEqual([...names].sort().reverse())
  for (const revision of revisions) expect(revisionNamed(revision.name)).toBe(revision)
  for (const name of ["2024-11-5", "", "constructor", "2026-07-2"]) expect(revisionNamed(name)).toBeUndefined()
})

test("of two kinds, by how they are opened", () => {
  expect(revisions).toEqual([...perRequestRevisions, ...handshakeRevisions])
  const whole = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {}
  }
  for (const { opening, envelope } of handshakeRevisions) expect([opening, envelope]).toEqual(["handshake", undefined])
  for (const { opening, envelope } of perRequestRevisions) {
    expect(opening).toBe("request")
    expect([envelope?.(whole), envelope?.({})?.at]).toEqual([undefined, Object.keys(whole)[0]])
  }
})

describe.each(revisions)("the tables of $name", (revision) => {
  const rows = parties.flatMap((party) =>
    Object.entries<Row>(revision[party]).map(([method, row]) => ({ party, method, row }))
  )

  // Where the specification's schema is not at hand there is nothing to compare with.
  describe.skipIf(!present(revision.name))("beside the official schema", () => {
    test.each([
      { party: "client", kind: "request", union: "ClientRequest" },
      { party: "client", kind: "notification", union: "ClientNotification" },
      { party: "server", kind: "request", union: "ServerRequest" },
      { party: "server", kind: "notification", union: "ServerNotification" }
    ] as const)("have every method of $union and no other", ({ party, kind, union }) => {
      const expected = [...messages(official(revision.name), union).keys()]
      const found = rows.filter((at) => at.party === party && at.row.kind === kind)
      expect(found.map(({ method }) => method).sort()).toEqual(expected.sort())
    })

    const known = (name: string) => Object.keys(official(revision.name).definitions[name]!["properties"] ?? {}).sort()

    test("name the capabilities that exist, and no others", () => {
      const all = ["experimental", "extensions", "logging", "prompts", "resources", "tools", "completions", "tasks"]
      const asked = ["experimental", "roots", "sampling", "elicitation", "tasks"]
      const names = [...new Set([...all, ...asked, "constructor", "__proto__", "tool"])]
      for (const [party, shape] of [
        ["client", "ClientCapabilities"],
        ["server", "ServerCapabilities"]
      ] as const)
        expect(names.filter((name) => hasName(revision, party, name)).sort()).toEqual(known(shape))
    })

    test.each(["Tool", "Implementation", "Resource", "ResourceTemplate", "Prompt", "CallToolResult"] as const)(
      "narrow a %s to the members that exist",
      (shape) => {
        const ever = new Set(
          revisions.flatMap(({ name }) => Object.keys(official(name).definitions[shape]!["properties"] as object))
        )
        const members = [...ever].filter((member) => hasMember(revision, shape, member))
        // Sizes and the member of every result came and went in the schemas without a word on the pages.
        expect(members.filter((member) => member !== "size").sort()).toEqual(
          known(shape).filter((member) => member !== "size")
        )
      }
    )
  })

  test("say of each row who sends it", () => {
    for (const { party, method, row } of rows) expect(row.from, method).toBe(party)
    for (const [method, row] of Object.entries(revision.questions)) expect(row.from, method).toBe("server")
  })

  test("need only capabilities of the revision, the unspoken one of completion aside", () => {
    const asked = Object.entries(revision.questions).map(([method, row]) => ({ method, row }))
    for (const { method, row } of [...rows, ...asked]) {
      if (row.needs === undefined) continue
      const [party, family] = row.needs.split(".") as [Party, string]
      if (method === "completion/complete" && revision.name === "2024-11-05") continue
      expect(hasName(revision, party, family), method).toBe(true)
    }
  })

  test("have an item check for each paged list and for nothing else", () => {
    const paged = rows.filter(({ row }) => row.kind === "request" && row.paginated !== undefined)
    const methods = new Set(paged.map(({ method }) => method))
    expect(Object.keys(revision.items).sort()).toEqual([...methods].sort())
    for (const { method, row } of paged) {
      if (row.kind !== "request" || row.paginated === undefined) continue
      const page = { [row.paginated]: [null, 1, "x"], nextCursor: null }
      expect(row.result(page), method).toBeUndefined()
      expect(row.result({ ...page, nextCursor: 1 }), method).toEqual({
        at: "nextCursor",
        expected: "a string or null"
      })
      expect(row.result({ [row.paginated]: {} }), method).toEqual({
        at: row.paginated,
        expected: "an array"
      })
      expect(revision.items[method]!(null), method).toEqual({ at: "", expected: "an object" })
    }
  })

  test("hold no name that a prototype would lend them", () => {
    for (const record of [revision.client, revision.server, revision.questions, revision.items])
      for (const name of ["constructor", "toString", "__proto__", "hasOwnProperty"]) {
        expect(Object.hasOwn(record, name)).toBe(false)
        expect(record[name]).toBeUndefined()
      }
  })

  test("can not be changed", () => {
    for (const record of [revision.client, revision.server, revision.questions, revision.items])
      expect(Object.isFrozen(record)).toBe(true)
  })

  test("let only the handshake, pings and word about requests pass before it is done", () => {
    const early = rows.filter(({ row }) => row.when !== "ready")
    const word = ["client notifications/cancelled always", "server notifications/cancelled always"]
    const expected = revision.opening === "request" ? word : handshake
    expect(early.map(({ party, method, row }) => `${party} ${method} ${row.when}`)).toEqual(expected)
  })

  test("tell on a stream only what a request for one asks for", () => {
    const told = rows.flatMap(({ method, row }) => (row.kind === "notification" && row.stream ? [{ method, row }] : []))
    if (told.length > 0)
      expect(rows.filter(({ row }) => row.kind === "request" && row.stream).map(({ method }) => method)).toEqual([
        "subscriptions/listen"
      ])
    const listen = revision.client["subscriptions/listen"]
    for (const { method, row } of told) {
      if (row.filter === undefined) continue
      const wish = (wanted: unknown) => listen?.params({ notifications: { [row.filter!]: wanted } })
      expect(
        [true, ["file:///a"]].filter((wanted) => wish(wanted) === undefined),
        method
      ).toHaveLength(1)
      expect(wish("wrong")?.at, method).toBe(`notifications.${row.filter}`)
    }
  })
})

const handshake = [
  "client initialize opening",
  "client notifications/initialized opened",
  "client ping always",
  "client notifications/cancelled always",
  "client notifications/progress always",
  "server ping always",
  "server notifications/cancelled always",
  "server notifications/progress always"
]
