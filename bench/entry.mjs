/** Our entries for the harness. */
import { fileURLToPath } from "node:url"

const here = (file) => fileURLToPath(new URL(file, import.meta.url))

export const entries = [
  {
    name: "parley",
    revs: ["2025-11-25", "2026-07-28"],
    inproc: here("inproc.mjs"),
    fetch: here("fetch.mjs"),
    http: ["node", here("http.mjs")],
    ws: ["node", here("ws.mjs")],
    client: here("client.mjs"),
    stdio: ["node", here("out/stdio.mjs")],
    cwd: here("."),
    bundle: here("one-tool.mjs")
  },
  { name: "parley one-tool", revs: ["2025-11-25"], startup: true, stdio: ["node", here("out/one-tool.mjs")] },
  {
    name: "parley one-tool effect",
    revs: ["2025-11-25"],
    startup: true,
    stdio: ["node", here("out/one-tool-effect.mjs")]
  }
]
