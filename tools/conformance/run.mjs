/**
 * Runs the public conformance suite against the fixtures: `pnpm conformance [server|bridge|bridge-ws|client] [--write]`. Prints a table of
 * scenario by revision, keeps it in docs/conformance.md with `--write`, and fails when anything scored did not pass, anything
 * warned, or a client that was to end well did not. It goes by the checks that the suite writes down, not by its summary.
 */
import { spawn } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { root } from "../workspace.mjs"

const revisions = ["2025-11-25", "2026-07-28"]

/** Not scored, and passed all the same. */
const beyond = {
  server: {
    "2025-11-25": ["server-session-lifecycle", "server-sse-polling", "json-schema-2020-12"],
    "2026-07-28": ["json-schema-2020-12", "http-header-validation", "http-custom-header-server-validation"]
  },
  client: {
    "2025-11-25": ["json-schema-2020-12-preservation"],
    "2026-07-28": ["json-schema-2020-12-preservation"]
  }
}
/** The server behind a bridge is on standard streams or a WebSocket, and has no exchange that it could let go. */
const unbridged = new Set(["server-sse-polling"])
/** Authorization comes later; nobody says of these that they pass. */
const later = /^auth\//
/** These servers make a client fail on purpose. */
const mayFail = new Set(["http-invalid-tool-headers"])

const suite = createRequire(join(root, "package.json")).resolve("@modelcontextprotocol/conformance/package.json")
const program = join(suite, "../dist/index.js")
const shim = new URL("shim.mjs", import.meta.url).href
const argv = process.argv.slice(2)
const everyLeg = ["server", "bridge", "bridge-ws", "client"]
const unknown = argv.filter((one) => ![...everyLeg, "--write", "--verbose"].includes(one))
if (unknown.length > 0) {
  console.error(`There is no ${unknown.join(", ")}: conformance [${everyLeg.join("|")}] [--write] [--verbose]`)
  process.exit(2)
}
const legs = everyLeg.filter((leg) => !argv.some((one) => !one.startsWith("-")) || argv.includes(leg))

/** `{ leg, revision, scenario, scored, verdict, detail }` */
const rows = []
for (const leg of legs)
  for (const revision of revisions) await (leg === "client" ? clients(revision) : servers(leg, revision))
report()

/** The scenarios that a revision requires, as the suite lists them. */
function required(revision, leg) {
  const text = readFileSync(join(suite, "../requirements", `${revision}.yaml`), "utf8")
  const section = text.split(new RegExp(`^${leg}:\n`, "m"))[1]?.split(/^\S/m)[0] ?? ""
  const names = [...section.matchAll(/^ {2}- (\S+)$/gm)].map(([, name]) => name)
  if (names.length === 0)
    throw new Error(`The suite requires nothing of a ${leg} at ${revision}: is its list another now?`)
  return names
}

async function servers(leg, revision) {
  const server = await started(leg)
  const out = mkdtempSync(join(tmpdir(), "conformance-"))
  try {
    const all = required(revision, "server")
    const more = beyond.server[revision].filter((one) => leg === "server" || !unbridged.has(one))
    await ran(["server", "--url", server.url, "--requirements", revision, "-o", out])
    for (const scenario of more.filter((one) => !written(out, one)))
      await ran(["server", "--url", server.url, "--scenario", scenario, "--spec-version", revision, "-o", out])
    for (const scenario of [...all, ...more])
      judge({ leg, revision, scenario, scored: all.includes(scenario) }, out, "")
  } finally {
    rmSync(out, { recursive: true, force: true })
    await server.stop()
  }
}

/** Two at once: more would lose checks to time-outs on a small machine. */
async function clients(revision) {
  const all = required(revision, "client").filter((scenario) => !later.test(scenario))
  const waiting = [...all, ...beyond.client[revision]]
  const out = mkdtempSync(join(tmpdir(), "conformance-"))
  const client = `node ${join(root, "fixtures/conformance/client.mjs")}`
  const found = []
  const work = async () => {
    for (let scenario = waiting.shift(); scenario !== undefined; scenario = waiting.shift()) {
      const { said } = await ran([
        "client",
        "--command",
        client,
        "--scenario",
        scenario,
        "--spec-version",
        revision,
        "-o",
        out
      ])
      found.push([scenario, said])
    }
  }
  try {
    await Promise.all([work(), work()])
    for (const scenario of [...all, ...beyond.client[revision]]) {
      const [, said] = found.find(([one]) => one === scenario)
      const ended = /Client (exited with code -?\d+|timed out)[^\n]*/i.exec(said)
      const odd = ended !== null && !mayFail.has(scenario) ? ended[0] : ""
      judge({ leg: "client", revision, scenario, scored: all.includes(scenario) }, out, odd)
    }
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/** The newest folder that a scenario wrote. */
function written(out, scenario) {
  const name = scenario.replaceAll("/", "-")
  const stamped = new RegExp(`^(server-|client-)?${name}-\\d{4}-\\d\\d-\\d\\dT`)
  return readdirSync(out)
    .filter((one) => stamped.test(one))
    .toSorted()
    .at(-1)
}

function judge(row, out, odd) {
  const folder = written(out, row.scenario)
  if (folder === undefined) return rows.push({ ...row, verdict: "failed", detail: "it did not run" })
  const checks = JSON.parse(readFileSync(join(out, folder, "checks.json"), "utf8"))
  const of = (status) => checks.filter((check) => check.status === status)
  const passed = of("SUCCESS").length
  const wrong = [...of("FAILURE"), ...of("WARNING")].map(
    ({ status, id, errorMessage }) => `${status} ${id}${errorMessage ? `: ${errorMessage}` : ""}`
  )
  if (odd !== "") wrong.push(`${odd}: ${lastWords(join(out, folder))}`)
  if (passed === 0) wrong.push(checks.length === 0 ? "nothing was checked" : "everything was skipped")
  const verdict = wrong.length === 0 ? "passed" : "failed"
  return rows.push({ ...row, verdict, checks: passed, detail: wrong.join("; ") })
}

/** What a client that did not end well said of it. */
function lastWords(folder) {
  const path = join(folder, "stderr.txt")
  const said = existsSync(path) ? readFileSync(path, "utf8").trim() : ""
  return said === "" ? "it said nothing" : said
}

/** The server under test, and its URL: over HTTP itself, or behind a bridge, on standard streams or on a WebSocket. */
async function started(leg) {
  const fixture = (name) => join(root, "fixtures/conformance", name)
  if (leg === "server") return listening([fixture("server.mjs")])
  const bridge = (...at) => listening([join(root, "packages/cli/dist/bin.js"), "bridge", "--port", "0", ...at])
  if (leg === "bridge") return bridge("--", "node", fixture("stdio-server.mjs"))
  const behind = await listening([fixture("websocket-server.mjs")])
  try {
    const { url, stop } = await bridge(behind.url)
    return { url, stop: () => stop().then(behind.stop) }
  } catch (error) {
    await behind.stop()
    throw error
  }
}

/** Resolves when the program has printed an address. */
async function listening(command) {
  const child = spawn(process.execPath, command, { stdio: ["pipe", "pipe", "inherit"] })
  const url = await new Promise((resolve, reject) => {
    let said = ""
    child.stdout.on("data", (chunk) => {
      said += chunk
      const found = /(https?|ws):\/\/\S+(?=\s)/.exec(said)
      if (found !== null) resolve(found[0])
    })
    child.once("exit", (code) => reject(new Error(`The server under test ended with ${code}: ${command.join(" ")}`)))
  })
  return {
    url,
    stop: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve()
        child.once("exit", resolve)
        child.kill("SIGTERM")
      })
  }
}

function ran(args) {
  const child = spawn(process.execPath, ["--import", shim, program, ...args], { stdio: ["ignore", "pipe", "pipe"] })
  let said = ""
  child.stdout.on("data", (chunk) => (said += chunk))
  child.stderr.on("data", (chunk) => (said += chunk))
  return new Promise((resolve, reject) => {
    child.once("error", reject)
    child.once("close", (code) => {
      if (argv.includes("--verbose")) console.log(said)
      resolve({ code, said })
    })
  })
}

function report() {
  for (const leg of legs)
    for (const revision of revisions) {
      const own = rows.filter((row) => row.leg === leg && row.revision === revision)
      const scored = own.filter((row) => row.scored)
      const more = own.filter((row) => !row.scored)
      const count = (some) => `${some.filter(({ verdict }) => verdict === "passed").length}/${some.length}`
      console.log(`\n${leg} ${revision}: ${count(scored)} scored, ${count(more)} beyond`)
      for (const { scenario, verdict, checks, detail } of own)
        console.log(
          `  ${verdict.padEnd(7)} ${scenario.padEnd(50)} ${checks ?? 0} checks${detail === "" ? "" : `  ${detail}`}`
        )
    }
  if (argv.includes("--write")) write()
  process.exitCode = rows.every(({ verdict }) => verdict === "passed") ? 0 : 1
}

/** The part of the page between its two marks: the rows of other legs stay. */
function write() {
  const path = join(root, "docs/conformance.md")
  const page = readFileSync(path, "utf8")
  const head = ["leg", "requirements", "scored", "beyond", "not passed", "on"]
  const before = page
    .split("\n")
    .map((line) =>
      line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim())
    )
    .filter(({ length, 0: leg }) => length === head.length && everyLeg.includes(leg) && !legs.includes(leg))
  const day = new Date().toISOString().slice(0, 10)
  const now = legs.flatMap((leg) =>
    revisions.map((revision) => {
      const own = rows.filter((row) => row.leg === leg && row.revision === revision)
      const count = (scored) => {
        const some = own.filter((row) => row.scored === scored)
        return `${some.filter(({ verdict }) => verdict === "passed").length} of ${some.length}`
      }
      const wrong = own.filter(({ verdict }) => verdict !== "passed").map(({ scenario }) => `\`${scenario}\``)
      return [leg, revision, count(true), count(false), wrong.join(", ") || "none", day]
    })
  )
  const order = ([leg, revision]) => `${everyLeg.indexOf(leg)} ${revision}`
  const body = [...before, ...now].toSorted((a, b) => order(a).localeCompare(order(b)))
  const widths = head.map((_, at) => Math.max(...[head, ...body].map((row) => row[at].length)))
  const line = (row) => `| ${row.map((cell, at) => cell.padEnd(widths[at])).join(" | ")} |`
  const table = [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n")
  writeFileSync(path, page.replace(/<!-- table -->[^]*<!-- end -->/, `<!-- table -->\n\n${table}\n\n<!-- end -->`))
}
