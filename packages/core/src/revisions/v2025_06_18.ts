/** 2025-06-18: elicitation, structured results, resource links, titles and `_meta` everywhere; batches are gone. */
import * as is from "../checks/shapes.js"
import { after, request, revision } from "./page.js"
import { page2025_03_26 } from "./v2025_03_26.js"

export const page2025_06_18 = after(page2025_03_26, {
  name: "2025-06-18",
  place: 2,
  server: {
    "elicitation/create": request("server", is.ElicitParams, is.ElicitResult, { needs: "client.elicitation" })
  },
  features: { batches: false }
})

export const v2025_06_18 = /* @__PURE__ */ revision(page2025_06_18)
