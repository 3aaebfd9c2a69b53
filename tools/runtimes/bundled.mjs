/** One file of a program, made from the sources of the workspace, for runtimes that know nothing of it. */
import { join } from "node:path"
import { rolldown } from "rolldown"
import { fromSources, root } from "../workspace.mjs"

/**
 * Bundles `tools/runtimes/NAME.mjs`. Without a `file` only its code is returned. `platform`: `node`, `browser` or `neutral`. `global`:
 * a script that leaves what it exports under that name, where there are no modules.
 */
export async function bundled(name, platform, file, global) {
  const build = await rolldown({
    input: join(root, "tools/runtimes", `${name}.mjs`),
    platform,
    plugins: [fromSources],
    tsconfig: join(root, "tsconfig.base.json"),
    checks: { ineffectiveDynamicImport: false },
    onLog: (level, log) => {
      if (level === "warn") throw new Error(log.message)
    }
  })
  const how = { format: global === undefined ? "esm" : "iife", name: global, codeSplitting: false }
  const { output } = await (file === undefined ? build.generate(how) : build.write({ ...how, file }))
  await build.close()
  const [{ code, imports }] = output
  if (platform !== "node" && imports.length > 0) throw new Error(`${name}.mjs imports ${imports.join(", ")}`)
  return code
}
