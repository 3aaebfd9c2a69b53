/** Over standard streams. */
import { serve } from "@parley/server"
import { stdio } from "@parley/stdio"
import { benchServer } from "./server.mjs"

const kit = await import(new URL("lib/toolset.mjs", process.env.BENCH_ROOT).href)
serve(benchServer(kit, kit.toolCount()), stdio())
