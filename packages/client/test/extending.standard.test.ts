/** Whoever listens to what the protocol itself tells need not name anything, with extensions or without. */
import { revisions } from "@parley/core/revisions"
import { expect, it } from "vitest"
import { extending } from "../src/extending.js"

it.each(revisions.map((revision) => [revision.name, revision] as const))(
  "a listener of %s hears all of a notification of the protocol",
  async (_, revision) => {
    const { listening } = await extending([revision], [])
    const rows = Object.entries(revision.server).filter(([, row]) => row.kind === "notification")
    expect(rows.length).toBeGreaterThan(5)
    for (const [method, row] of rows)
      for (const of of [undefined, ["a"]]) {
        const listener = () => undefined
        expect(listening(method, row, listener, of), method).toBe(listener)
      }
  }
)
