/** The handshake revisions as values, newest first. */
import type { Revision } from "../revision.js"
import { v2024_11_05 } from "./v2024_11_05.js"
import { v2025_03_26 } from "./v2025_03_26.js"
import { v2025_06_18 } from "./v2025_06_18.js"
import { v2025_11_25 } from "./v2025_11_25.js"

export { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25 }

/** Newest first: the first that both sides speak is the one to propose. */
export const handshakeRevisions: ReadonlyArray<Revision> = [v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05]

/** The revision of exactly that name, or nothing: `undefined` for what we do not speak. */
export const revisionNamed = (name: string): Revision | undefined =>
  handshakeRevisions.find((revision) => revision.name === name)
