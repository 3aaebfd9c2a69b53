/** The laws of the source tree that neither compiler nor linter knows: names, first lines, lengths, layers, tests. */
import { existsSync, readFileSync, readdirSync } from "node:fs"
import { join, relative } from "node:path"
import { packages, root } from "./workspace.mjs"

/** Which packages of the workspace a package may import at run time. */
const layers = {
  core: [],
  driver: ["core"],
  "json-schema": [],
  server: ["core", "driver", "json-schema"],
  client: ["core", "driver", "json-schema"],
  stdio: ["core", "driver"],
  http: ["core", "driver", "server"],
  websocket: ["core", "driver", "server"],
  testing: ["core", "driver", "server", "client", "json-schema"],
  cli: ["core", "driver", "server", "client", "stdio", "http", "websocket"]
}

const broken = []

for (const one of packages) {
  const { name, folder, manifest } = one
  const allowed = layers[name]
  if (allowed === undefined) broken.push(`packages/${name} has no layer in tools/laws.mjs`)
  const declared = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  for (const dependency of declared) {
    const inner = /^@parley\/(.*)$/.exec(dependency)?.[1]
    if (inner !== undefined && !allowed?.includes(inner)) broken.push(`@parley/${name} may not depend on ${dependency}`)
  }
  for (const file of filesUnder(join(folder, "src"))) {
    const text = readFileSync(file, "utf8")
    judgeFile(relative(root, file), text)
    for (const [, specifier] of text.matchAll(/^\s*(?:import|export)\b[^"'`;]*?\bfrom\s+"([^"]+)"/gm)) {
      if (!importable(specifier, declared))
        broken.push(`${relative(root, file)} imports ${specifier}, which its manifest does not list`)
    }
  }
}

for (const folder of [...foldersOf("packages"), ...foldersOf("examples")]) {
  if (!filesUnder(join(root, folder, "test")).some((file) => file.endsWith(".test.ts")))
    broken.push(`${folder} has no test`)
}

const lock = readFileSync(join(root, "pnpm-lock.yaml"), "utf8")
const address = /https?:\/\/\S+/.exec(lock)
if (address !== null) broken.push(`pnpm-lock.yaml names an address: ${address[0]}`)

for (const line of broken) console.error(line)
console.log(broken.length === 0 ? "the source tree keeps its laws" : `${broken.length} laws broken`)
process.exitCode = broken.length === 0 ? 0 : 1

function judgeFile(file, text) {
  if (/(^|\/)(utils?|utilities|helpers?|common|shared|misc|types)(\/|\.ts$)/.test(file))
    broken.push(`${file}: the name says nothing`)
  if (!/^(#![^\n]*\n)?\/\*\* /.test(text)) broken.push(`${file}: the first line does not say what it is`)
  const lines = text.split("\n").length - 1
  if (lines > 300 && !/^\/\*\*[^\n]*`pnpm generate`/.test(text)) broken.push(`${file}: ${lines} lines, at most 300`)
}

function importable(specifier, declared) {
  if (specifier.startsWith(".") || specifier.startsWith("node:")) return true
  return declared.some((name) => specifier === name || specifier.startsWith(`${name}/`))
}

function filesUnder(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true })
    .filter((name) => name.endsWith(".ts"))
    .map((name) => join(folder, name))
}

function foldersOf(parent) {
  if (!existsSync(join(root, parent))) return []
  return readdirSync(join(root, parent))
    .map((name) => `${parent}/${name}`)
    .filter((folder) => existsSync(join(root, folder, "package.json")))
}
