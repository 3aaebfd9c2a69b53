/** What the page lists is what the machines leave out: both are read from the schemas, each in its own way. */
import { revisions } from "@parley/core/revisions"
import { expect, test } from "vitest"
import type { Lack } from "../../packages/core/src/checks/lack.js"
import { lackAt } from "../../packages/core/src/checks/lack.js"
import type { Shape } from "../../packages/core/src/checks/shape.js"
import * as shapes from "../../packages/core/src/checks/shapes.js"
import { frames } from "./frames.ts"
import type { Frame } from "./narrowing.ts"

/** The members, and kinds, that a revision has not, each by the way to it. */
const gone = (lack: Lack | undefined, at: string): ReadonlyArray<string> =>
  lack === undefined
    ? []
    : [
        ...[...lack.gone].map((name) => `${at}.${String(name)}`),
        ...[...lack.inside].flatMap(([name, inner]) => gone(inner, `${at}.${String(name)}`))
      ]

const listed = ({ of }: Frame, place: number, at: string): ReadonlyArray<string> =>
  Object.entries(of).flatMap(([name, entry]) => {
    const [since, inside, until = Infinity] = typeof entry === "number" ? ([entry, 0] as const) : entry
    if (place < since || place >= until) return [`${at}.${name}`]
    return inside === 0 ? [] : listed(inside, place, `${at}.${name}`)
  })

const named: Readonly<Record<string, Shape>> = { ...shapes }

test.each(revisions)("to a peer of $name nothing is sent that its revision has not", (revision) => {
  for (const [shape, frame] of Object.entries<Frame>(frames)) {
    // Without elicitation nothing is sent of it.
    if (shape.startsWith("Elicit") && !Object.hasOwn(revision.questions, "elicitation/create")) continue
    expect(gone(lackAt(revision.place, named[shape]), shape).toSorted(), shape).toEqual(
      listed(frame, revision.place, shape).toSorted()
    )
  }
})
