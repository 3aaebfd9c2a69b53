/** The runtimes, and how each is had: what is here already, or fetched by npm into a cache outside of the repository. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync } from "node:fs"
import { homedir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { found } from "../../fixtures/browser/chromium.mjs"

const run = promisify(execFile)
const cache =
  process.env.PARLEY_RUNTIMES ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "parley-runtimes")

const platform = `${process.platform === "win32" ? "win" : process.platform}-${process.arch}`
const node = (version) => {
  const [major] = version.split(".")
  // The one that runs this may be one of them, and need not be fetched.
  const own = process.version === `v${version}` ? process.execPath : undefined
  const programs = [`node-${platform}/bin/node`]
  return { name: `Node ${major}`, kind: "command", package: `node-${platform}`, version, programs, own }
}

/** `programs`: where the program itself may be, under `node_modules`. `flags`: what comes before a script. */
export const runtimes = [
  node("20.20.2"),
  node("22.23.5"),
  node("24.22.3"),
  node("26.12.1"),
  {
    name: "Bun",
    kind: "command",
    package: "bun",
    version: "1.4.4",
    programs: [`@oven/bun-${platform}/bin/bun`, "bun/bin/bun.exe"],
    // Else what a script starts by its first line is run by Node.
    flags: ["--bun"]
  },
  {
    name: "Deno",
    kind: "command",
    package: "deno",
    version: "2.9.6",
    programs: [`@deno/${platform}-glibc/deno`, `@deno/${platform}/deno`, "deno/deno"],
    flags: ["run", "-A"]
  },
  {
    name: "workerd",
    kind: "workerd",
    package: "workerd",
    version: "1.20261117.1",
    programs: [`@cloudflare/workerd-${process.platform}-${process.arch === "x64" ? "64" : process.arch}/bin/workerd`]
  },
  { name: "Chromium", kind: "chromium" }
]

/** `{ program, version }`, or `{ why }` when it could not be had. */
export async function had(runtime) {
  try {
    const program = await programOf(runtime)
    const { stdout } = await run(program, ["--version"], { timeout: 20_000 })
    return { program, version: /\d+(\.\d+)+/.exec(stdout)?.[0] ?? runtime.version }
  } catch (error) {
    return { why: String(error.message).trim().split("\n").slice(-2).join(" ") }
  }
}

async function programOf({ kind, own, package: name, version, programs }) {
  if (own !== undefined) return own
  if (kind === "chromium") {
    const command = found(false)
    if (command === undefined) throw new Error("there is no Chromium: install it, or name it in CHROMIUM")
    return command
  }
  const folder = join(cache, `${name}-${version}`)
  const there = () => programs.map((path) => join(folder, "node_modules", path)).find(existsSync)
  if (there() === undefined) {
    mkdirSync(folder, { recursive: true })
    const words = ["install", "--no-save", "--no-audit", "--no-fund", "--prefix", folder, `${name}@${version}`]
    await run("npm", words, { timeout: 300_000 })
  }
  const program = there()
  if (program === undefined) throw new Error(`${name}@${version} has no program for ${platform}`)
  return program
}
