/** Roots: the folders a client lets a server work in. */
import * as Schema from "effect/Schema"
import { meta, text, withMeta } from "./meta.js"

export const Root_2024_11_05 = Schema.Struct({ uri: Schema.String, name: text })
export const Root_2025_06_18 = Schema.Struct({ ...Root_2024_11_05.fields, _meta: meta })

export const ListRootsResult_2024_11_05 = withMeta({ roots: Schema.Array(Root_2024_11_05) })
export const ListRootsResult_2025_06_18 = withMeta({ roots: Schema.Array(Root_2025_06_18) })
export const ListRootsResult_2026_07_28 = Schema.Struct({ roots: Schema.Array(Root_2025_06_18) })
