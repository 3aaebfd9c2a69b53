/** Writes the API reference of everything that is published to dist/api; typedoc and its own TypeScript are installed on the way. */
import { execFileSync } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { packages, root, sourceOf } from "../workspace.mjs"

const began = Date.now()
const here = import.meta.dirname
const out = join(root, "dist/api")
const { packageManager } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))

execFileSync(
  process.platform === "win32" ? "npx.cmd" : "npx",
  ["-y", packageManager.split("+")[0], "install", "--ignore-workspace", "--frozen-lockfile", "--silent", "--dir", here],
  {
    cwd: here,
    // npm warns of settings that it was handed down by pnpm.
    env: { ...process.env, CI: "true", npm_config_loglevel: "error" },
    stdio: ["ignore", "ignore", "inherit"],
    shell: process.platform === "win32"
  }
)
const { Application } = await import("typedoc")

/** Source file to the name by which it is imported. */
const names = new Map(
  packages.flatMap((one) =>
    Object.keys(one.manifest.exports).flatMap((subpath) => {
      const source = sourceOf(one, subpath)
      return source === undefined ? [] : [[source, one.manifest.name + subpath.slice(1)]]
    })
  )
)

const app = await Application.bootstrap({
  name: "Parley",
  readme: "none",
  entryPoints: [...names.keys()],
  tsconfig: join(here, "tsconfig.json"),
  basePath: root,
  excludeInternal: true,
  excludePrivate: true,
  // The compiler of the project judges the sources; this one only reads them.
  skipErrorChecking: true,
  disableSources: true,
  githubPages: false,
  hideGenerator: true,
  logLevel: "Warn",
  validation: { notExported: false, invalidLink: true, notDocumented: false }
})
const project = await app.convert()
if (project === undefined) throw new Error("typedoc could not read the sources")
for (const module of project.children ?? []) {
  const file = project.getSymbolIdFromReflection(module)?.fileName
  module.name = names.get(file) ?? module.name
}
await app.generateDocs(project, out)
console.log(
  `The reference of ${names.size} entry points is ${join(out, "index.html")}, after ${((Date.now() - began) / 1000).toFixed(1)} s`
)
process.exitCode = app.logger.hasErrors() || app.logger.hasWarnings() ? 1 : 0
