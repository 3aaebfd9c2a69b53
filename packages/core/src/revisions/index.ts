/** The revisions as values, newest first. */
import type { Revision } from "../revision.js"
import { v2024_11_05 } from "./v2024_11_05.js"
import { v2025_03_26 } from "./v2025_03_26.js"
import { v2025_06_18 } from "./v2025_06_18.js"
import { v2025_11_25 } from "./v2025_11_25.js"
import { v2026_07_28 } from "./v2026_07_28.js"

export { v2024_11_05, v2025_03_26, v2025_06_18, v2025_11_25, v2026_07_28 }

/** Those that are opened by `initialize`, newest first: the first that both sides speak is the one to propose. */
export const handshakeRevisions: ReadonlyArray<Revision> = [v2025_11_25, v2025_06_18, v2025_03_26, v2024_11_05]

/** Those in which every request says its revision and its client, newest first. */
export const perRequestRevisions: ReadonlyArray<Revision> = [v2026_07_28]

/** All of them, newest first. */
export const revisions: ReadonlyArray<Revision> = [...perRequestRevisions, ...handshakeRevisions]

/** The revision of exactly that name, or nothing: `undefined` for what we do not speak. */
export const revisionNamed = (name: string): Revision | undefined =>
  revisions.find((revision) => revision.name === name)
