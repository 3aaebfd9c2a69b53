/**
 * A page in a real browser as a client, under CORS and a strict Content-Security-Policy: `pnpm browser`. Needs Chromium (`CHROMIUM`
 * names it where it is called otherwise); `--install` installs Debian's where there is none; `--find` only says whether there is one.
 */
import { join } from "node:path"
import { isDeepStrictEqual } from "node:util"
import { gzipSync } from "node:zlib"
import { rolldown } from "rolldown"
import { chromium, found } from "../fixtures/browser/chromium.mjs"
import { serving } from "../fixtures/browser/definition.mjs"
import { site } from "../fixtures/browser/site.mjs"
import { fromSources, root } from "./workspace.mjs"

const argv = process.argv.slice(2)
const unknown = argv.filter((one) => one !== "--install" && one !== "--find")
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}: browser [--install] [--find]`)
  process.exit(2)
}
const command = found(argv.includes("--install"))
if (command === undefined) {
  console.error(
    "There is no Chromium: install it, name it in CHROMIUM, or have it installed by --install (as root, on Debian)"
  )
  process.exit(1)
}
if (argv.includes("--find")) {
  console.log(command)
  process.exit(0)
}
/** A browser that hangs is no reason to. */
const watchdog = setTimeout(() => {
  console.error("it took longer than 3 minutes")
  process.exit(1)
}, 180_000)

const conversation = (revision, more) => ({
  revision,
  tools: ["greet", "whisper", "count", "book", "leave", "wait", "change", "facts"],
  called: "Hello, page!",
  header: "whispered to Zoë, тихо",
  progress: [1, 2, 3],
  asked: "a table for 4",
  released: "welcome back",
  listChanged: true,
  updated: true,
  cancelled: /^CallError: tools\/call was abandoned/,
  toldOfCancel: true,
  many: 50,
  manyAsked: Array.from({ length: 10 }, () => "a table for 4"),
  unknown: /^CallError: .*nothing/,
  ...more
})
const listed = {
  modern: conversation("2026-07-28", { resumed: 0, sessionsEnded: 0 }),
  session: conversation("2025-11-25", { resumed: 1, sessionsEnded: 1 }),
  credentials: { refused: /HTTP 401.*resource_metadata="https:\/\/mcp\.example\.com/, called: "Hello, page!" },
  pair: { revision: "2024-11-05", called: "Hello, page!" }
}
const unlisted = {
  connected: /^CallError: .*Failed to fetch; a page is not told more: .*may pages of http:\/\/elsewhere\.test/,
  read: /^TypeError: Failed to fetch/,
  blindly: ["opaque", "opaque", "opaque"]
}
const rebound = { status: 403, connected: /HTTP 403.*not known by the name in Host/ }

const wrong = []
const script = await bundled()
console.log(`the page's script: ${script.length} B, ${gzipSync(script).length} B compressed`)

const urls = {}
const apart = await site(script, urls)
/** One is trusted by the browser, as pages of this machine are; the other one is an insecure page of the network. */
const origins = [`http://127.0.0.1:${apart.port}`, `http://page.test:${apart.port}`]
const server = await serving(origins)
Object.assign(urls, server.urls)
const alike = await site(script, urls, server.standing)
const browser = await chromium(command)
try {
  for (const origin of origins) {
    const before = server.facts()
    await look(`${origin}/listed`, listed)
    const { requests } = server.facts()
    const asked = requests.OPTIONS - (before.requests.OPTIONS ?? 0)
    console.log(`  ${requests.POST - (before.requests.POST ?? 0)} requests by POST, ${asked} preflights`)
    if (!(asked > 0)) wrong.push("the browser asked for nothing first: the page is not of another origin")
  }
  const stranger = `http://elsewhere.test:${apart.port}`
  await look(`${stranger}/unlisted`, unlisted)
  const statuses = server.facts().statuses[stranger] ?? []
  console.log(`  answered by ${statuses.join(", ")}`)
  if (statuses.length < 5 || statuses.some((status) => status !== 403))
    wrong.push(`a page of an origin that is not listed was answered by ${statuses.join(", ")}, and not by 403 alone`)
  await look(`http://rebound.test:${alike.port}/rebound`, rebound)
} finally {
  await browser.close()
  await server.close()
  apart.close()
  alike.close()
}
clearTimeout(watchdog)
for (const line of wrong) console.error(`wrong: ${line}`)
console.log(wrong.length === 0 ? "passed" : "failed")
process.exitCode = wrong.length === 0 ? 0 : 1

/** As a bundler makes it for a page: whatever is of Node only, or left out, is an error. */
async function bundled() {
  const build = await rolldown({
    input: join(root, "fixtures/browser/page.mjs"),
    platform: "browser",
    plugins: [fromSources],
    tsconfig: join(root, "tsconfig.base.json"),
    // One script is one file here, whatever could have been loaded later.
    checks: { ineffectiveDynamicImport: false },
    onLog: (level, log) => {
      if (level === "warn") wrong.push(`the bundle: ${log.message}`)
    }
  })
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true })
  await build.close()
  const [{ code, imports }] = output
  if (imports.length > 0) wrong.push(`the bundle imports ${imports.join(", ")}`)
  return code
}

async function look(url, expected) {
  const { text, problems } = await browser.look(url)
  const { origin, secure, violations, failed, ...saw } = JSON.parse(text)
  console.log(`\n${url} (${secure ? "a secure context" : "an insecure context"})`)
  for (const problem of problems) wrong.push(`${origin}: nobody caught ${problem}`)
  for (const violation of violations) wrong.push(`${origin}: the policy forbids ${violation}`)
  if (failed !== undefined) wrong.push(`${origin}: ${failed}`)
  compare(saw, expected, "")
}

/** Says of each thing what was seen, and what should have been. */
function compare(saw, expected, path) {
  for (const [name, want] of Object.entries(expected)) {
    const had = saw?.[name]
    const where = path === "" ? name : `${path}.${name}`
    if (Object.getPrototypeOf(want) === Object.prototype) compare(had, want, where)
    else {
      const ok = want instanceof RegExp ? want.test(had) : isDeepStrictEqual(had, want)
      console.log(`  ${ok ? "ok    " : "FAILED"} ${where.padEnd(24)} ${JSON.stringify(had)}`)
      if (!ok)
        wrong.push(`${where}: ${JSON.stringify(had)}, not ${want instanceof RegExp ? want : JSON.stringify(want)}`)
    }
  }
}
