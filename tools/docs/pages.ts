/** Every generated page, by its path from the repository's root. */
import { revisions } from "@parley/core/revisions"
import { invariants } from "../../packages/testing/src/invariants.js"
import { diagram } from "./diagram.ts"
import { frames } from "./frames.ts"
import { handshake } from "./handshake.ts"
import { invariantsPage } from "./invariants.ts"
import { methodsPage } from "./methods.ts"
import { narrowingPage } from "./narrowing.ts"

export function pages(): ReadonlyMap<string, string> {
  const oldestFirst = [...revisions].reverse()
  const walked = handshake()
  return new Map([
    ["docs/methods.md", methodsPage(oldestFirst, walked)],
    ["docs/narrowing.md", narrowingPage(oldestFirst, frames)],
    ["docs/invariants.md", invariantsPage(invariants)],
    ["docs/handshake.svg", diagram(walked)]
  ])
}
