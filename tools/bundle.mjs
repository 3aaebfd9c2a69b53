/** Bundles each published subpath into an ESM file, `dist/bundle/<subpath>.js`; declarations are the compiler's. */
import { existsSync, readFileSync, rmSync } from "node:fs"
import { builtinModules } from "node:module"
import { dirname, join, relative } from "node:path"
import { rolldown } from "rolldown"
import { packages, root, sourceOf } from "./workspace.mjs"

const wrong = []

for (const one of packages) {
  const inputs = {}
  for (const [subpath, target] of Object.entries(one.manifest.publishConfig?.exports ?? {})) {
    if (typeof target === "string") continue
    const name = subpath === "." ? "index" : subpath.slice(2).replaceAll("/", "-")
    const source = sourceOf(one, subpath)
    const place = `@parley/${one.name}${subpath.slice(1)}`
    if (source === undefined || !existsSync(source)) wrong.push(`${place}: no source`)
    else inputs[name] = source
    const file = `./dist/bundle/${name}.js`
    if (target.default !== file) wrong.push(`${place}: publishConfig says ${target.default}, not ${file}`)
    if (!existsSync(join(one.folder, target.types))) wrong.push(`${place}: ${target.types} is missing, build first`)
  }
  rmSync(join(one.folder, "dist/bundle"), { recursive: true, force: true })
  // The core holds no state, so its subpaths may repeat what they share, and each is one file. Elsewhere a module
  // that two subpaths share must stay one module.
  const builds = one.name === "core" ? Object.entries(inputs).map(([name, source]) => ({ [name]: source })) : [inputs]
  for (const build of builds) if (Object.keys(build).length > 0) await bundle(one, build)
}

for (const line of wrong) console.error(line)
process.exitCode = wrong.length === 0 ? 0 : 1

async function bundle({ name, folder, manifest }, input) {
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const isExternal = (id) =>
    id.startsWith("node:") ||
    builtinModules.includes(id) ||
    declared.some((dependency) => id === dependency || id.startsWith(`${dependency}/`))
  const build = await rolldown({
    input,
    platform: "neutral",
    external: isExternal,
    plugins: [mainApart(join(folder, "src/index.ts"), input)],
    tsconfig: join(root, "tsconfig.base.json"),
    onLog: (level, log) => {
      if (level === "warn") wrong.push(`@parley/${name}: ${log.message}`)
    }
  })
  const dir = join(folder, "dist/bundle")
  const { output } = await build.write({
    dir,
    format: "esm",
    sourcemap: true,
    entryFileNames: "[name].js",
    chunkFileNames: "shared-[hash].js"
  })
  await build.close()
  const own = new Set(output.map(({ fileName }) => fileName))
  for (const chunk of output) {
    if (chunk.type !== "chunk") continue
    const imports = [...new Set([...chunk.imports, ...chunk.dynamicImports])]
    for (const id of imports) {
      if (!isExternal(id) && !own.has(id.replace("./", "")))
        wrong.push(`@parley/${name} imports ${id}, which its manifest does not list`)
    }
    const file = join(dir, chunk.fileName)
    const bytes = readFileSync(file).length
    console.log(
      `${relative(root, file).padEnd(48)} ${String(bytes).padStart(8)} B  imports ${imports.join(", ") || "nothing"}`
    )
  }
}

/** What a subpath takes from the package's main entry it imports as anybody does, so that the main entry stays one file. */
function mainApart(main, input) {
  return {
    name: "parley-main-apart",
    resolveId(specifier, importer) {
      if (importer === undefined || input.index !== main || !specifier.startsWith(".")) return undefined
      const found = join(dirname(importer), specifier).replace(/\.js$/, ".ts")
      return found === main ? { id: "./index.js", external: true } : undefined
    }
  }
}
