/** A strict server: two versions of the protocol, no guesses about others, nothing before the handshake is done, and no tools yet. */
import { v2024_11_05, v2025_03_26 } from "@parley/core/revisions"
import { defineServer, serve } from "@parley/server"
import { stdio } from "@parley/stdio"

const cantine = defineServer({ name: "cantine", version: "0.2" }, [], {
  declare: { tools: { listChanged: false } },
  revisions: [v2025_03_26, v2024_11_05],
  unsupported: "refuse",
  early: "refuse"
})

serve(cantine, stdio())
