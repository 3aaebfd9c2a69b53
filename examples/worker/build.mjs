/** Makes one file of the worker, as Workers take it: nothing in it is of Node. */
import { join } from "node:path"
import { rolldown } from "rolldown"

const build = await rolldown({
  input: join(import.meta.dirname, "worker.mjs"),
  platform: "browser",
  logLevel: "silent"
})
await build.write({
  file: join(import.meta.dirname, "dist/worker.js"),
  format: "esm",
  codeSplitting: false,
  minify: true
})
await build.close()
