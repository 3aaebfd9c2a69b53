/** `pnpm bench [own | WORKLOAD ...] [--full | --smoke]`: our own small benchmarks, and the shared harness where it is at hand. */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { rolldown } from "rolldown"

const here = fileURLToPath(new URL(".", import.meta.url))
const shared = resolve(here, "..", process.env.PARLEY_SHARED ?? "../shared", "bench")
const words = process.argv.slice(2)
/** Options of the harness that have a value. */
const valued = new Set(["--rounds", "--n", "--tools"])
const isFlag = (word, at) => word.startsWith("--") || valued.has(words[at - 1])
const flags = words.filter(isFlag)
const named = words.filter((word, at) => !isFlag(word, at))
const workloads =
  named.length === 0 ? ["inproc", "stdio", "client", "startup", "outstanding"] : named.filter((name) => name !== "own")

const peers = (name) => (name === "startup" ? "hand,parley one-tool,parley one-tool effect" : "hand,parley")

if (flags.includes("--smoke")) {
  node(here, "--expose-gc", "own.mjs", "--smoke")
  await withHarness((folder) => {
    for (const name of ["inproc", "stdio", "client", "startup", "ws"])
      node(folder, "run.mjs", name, "--only", "parley,parley one-tool", "--rounds", "1")
  })
} else {
  if (named.length === 0 || named.includes("own")) node(here, "--expose-gc", "own.mjs")
  if (workloads.length > 0)
    await withHarness((folder) => {
      for (const name of workloads) node(folder, "run.mjs", name, "--only", peers(name), ...flags)
    })
  // What an idle connection holds, beside one of bare `ws`.
  if (workloads.includes("ws")) node(here, "../tools/idle.mjs", "--connections", valueOf("--n") ?? "10000")
}

function valueOf(flag) {
  return words.includes(flag) ? words[words.indexOf(flag) + 1] : undefined
}

/** The harness is copied, because it installs what it needs beside itself. */
async function withHarness(use) {
  if (!existsSync(shared)) {
    console.log(
      `Skipped the comparison with other implementations: there is no harness at ${shared} (PARLEY_SHARED says where to look).`
    )
    return
  }
  await bundle(["stdio.mjs", "one-tool.mjs", "one-tool-effect.mjs"])
  const folder = mkdtempSync(join(tmpdir(), "parley-bench-"))
  try {
    cpSync(shared, folder, { recursive: true })
    spawnSync("chmod", ["-R", "u+w", folder])
    const install = spawnSync("npm", ["install", "--no-audit", "--no-fund", "--silent"], {
      cwd: folder,
      stdio: "inherit"
    })
    if (install.status !== 0) throw new Error("the harness could not be installed")
    process.env.BENCH_ROOT = `${pathToFileURL(folder).href}/`
    process.env.BENCH_EXTRA = join(here, "entry.mjs")
    use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As a user's bundler would do it: start-up is measured on these. */
async function bundle(files) {
  const build = await rolldown({
    input: Object.fromEntries(files.map((file) => [file.replace(".mjs", ""), join(here, file)])),
    platform: "node",
    external: [/^node:/]
  })
  await build.write({ dir: join(here, "out"), format: "esm", minify: true, entryFileNames: "[name].mjs" })
}

function node(cwd, ...args) {
  const { status } = spawnSync(process.execPath, args, { cwd, stdio: "inherit" })
  if (status !== 0) process.exitCode = 1
}
