/** 2025-03-26: audio, tool annotations, progress messages, batches, and a capability for completions. */
import { after, revision } from "./page.js"
import { page2024_11_05 } from "./v2024_11_05.js"

export const page2025_03_26 = after(page2024_11_05, {
  name: "2025-03-26",
  place: 1,
  features: { batches: true }
})

export const v2025_03_26 = /* @__PURE__ */ revision(page2025_03_26)
