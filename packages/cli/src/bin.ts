#!/usr/bin/env node
/** The `parley` command: what is asked of itself it answers at once, and loads the rest when it is needed. */
import { readFileSync } from "node:fs"
import { exits } from "./exits.js"
import { usage } from "./usage.js"

const given = process.argv.slice(2)
const own = given.includes("--") ? given.slice(0, given.indexOf("--")) : given
const asJson = own.includes("--json")
let leaving = false

process.stdout.on("error", unwritten)
process.stderr.on("error", () => {})

if (own.includes("--version")) print({ version: version() }, `${version()}\n`)
else if (own.includes("--help") || own.includes("-h") || own[0] === "help") print({ usage: usage() }, usage())
else void work()

function print(document: object, text: string): void {
  process.stdout.write(asJson ? `${JSON.stringify(document, undefined, 2)}\n` : text)
}

function version(): string {
  const manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")) as { version: string }
  return manifest.version
}

async function work(): Promise<void> {
  process.on("uncaughtException", unforeseen)
  const { run } = await import("@parley/cli")
  const code = await run(given, {
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    signals: process,
    exit: (code) => process.exit(code),
    version: version()
  })
  leave(code)
}

/** A mistake of this program's: a document stands on stdout all the same. */
function unforeseen(error: Error): void {
  const [code] = exits.broken
  process.stderr.write(`${error.stack ?? error.message}\n`)
  const document = { error: { kind: "broken", exitCode: code, message: error.message, remedy: "please report it" } }
  if (asJson) process.stdout.write(`${JSON.stringify(document)}\n`)
  leave(code)
}

/** When everything is written. */
function leave(code: number): void {
  process.stdout.write("", (error) => {
    if (error) unwritten(error)
    else if (!leaving) process.exit(code)
  })
}

/** Nobody reads on, as in `parley inspect ... | head`, or there is no room. */
function unwritten({ code, message }: NodeJS.ErrnoException): void {
  if (leaving) return
  leaving = true
  if (code === "EPIPE") process.exit(exits.fine[0])
  process.stderr.write(`parley: the result could not be written: ${message}\n`, () => process.exit(exits.unwritten[0]))
}
