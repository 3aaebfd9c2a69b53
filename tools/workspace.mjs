/** The packages of this workspace, read from their manifests, and how a bundler finds their sources. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Every published package: `{ name, folder, manifest }`, by name. */
export const packages = readdirSync(join(root, "packages"))
  .filter((name) => existsSync(join(root, "packages", name, "package.json")))
  .map((name) => {
    const folder = join(root, "packages", name)
    return {
      name,
      folder,
      manifest: JSON.parse(readFileSync(join(folder, "package.json"), "utf8"))
    }
  })

/** The source file behind a subpath such as `./server`; nothing when the package does not export it. */
export function sourceOf({ folder, manifest }, subpath) {
  const source = manifest.exports[subpath]?.["@parley/source"]
  return source === undefined ? undefined : join(folder, source)
}

/** Resolves `@parley/...` to sources wherever the import stands, so that nothing need be built or installed. */
export const fromSources = {
  name: "parley-sources",
  resolveId(specifier) {
    const [scope, name, ...rest] = specifier.split("/")
    const found = scope === "@parley" ? packages.find((one) => one.name === name) : undefined
    return found && sourceOf(found, rest.length === 0 ? "." : `./${rest.join("/")}`)
  }
}

/** A module that exists only in memory, at a path of the workspace so that its imports resolve as usual. */
export const inMemory = (path, code) => ({
  name: "parley-in-memory",
  resolveId: (specifier) => (specifier === path ? path : undefined),
  load: (id) => (id === path ? code : undefined)
})
