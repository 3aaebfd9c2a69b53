/** The command from its words to its exit code. */
import type { Aside } from "./aside.js"
import { aside } from "./aside.js"
import { block, json, line } from "./clean.js"
import type { Wishes } from "./command-line.js"
import { read } from "./command-line.js"
import { failureOf } from "./document.js"
import { exits } from "./exits.js"
import { inspect } from "./inspect.js"
import { clip, wrap } from "./layout.js"
import type { Look } from "./paint.js"
import { lookOf } from "./paint.js"
import { asker } from "./questions.js"
import type { Terminal } from "./terminal.js"
import type { Trouble } from "./trouble.js"
import { troubleOf } from "./trouble.js"
import type { Company, Seen } from "./visit.js"
import { unseen } from "./visit.js"
import { exchangeInWords } from "./web.js"
import { onTheWeb } from "./web-trouble.js"
import { wirePage } from "./page.js"
import { perform } from "./perform.js"

/**
 * Does what the words ask for and settles with the exit code, which `exits` explains. Writes the result to `terminal.stdout`
 * and everything else to `terminal.stderr`.
 *
 * ```ts
 * import { run } from "@parley/cli"
 *
 * const { stdin, stdout, stderr } = process
 * const exit = (code: number): never => process.exit(code)
 * const terminal = { stdin, stdout, stderr, env: process.env, signals: process, exit, version: "1.0.0" }
 * const code = await run(["inspect", "--revision", "1999-01-01", "--", "node", "server.js"], terminal)
 * code // => 2
 * ```
 */
export async function run(argv: ReadonlyArray<string>, terminal: Terminal): Promise<number> {
  const { stdout, stderr, env, signals, exit, version } = terminal
  const asJson = wantsJson(argv)
  const beside = lookOf(stderr, env, true)
  const seen = unseen()
  const stop = new AbortController()
  let said: Aside | undefined
  let wishes: Wishes | undefined
  let interrupted: "interrupted" | "terminated" | undefined
  const leave = (how: "interrupted" | "terminated", words: string): void => {
    if (interrupted !== undefined) return exit(exits[how][0])
    interrupted = how
    stop.abort(new Error("the user interrupted it"))
    said?.say(beside.paint.faint(words))
  }
  const interrupt = (): void => leave("interrupted", "Interrupted: the server is told. Ctrl-C again leaves at once.")
  const terminate = (): void => leave("terminated", "Terminated: the server is told.")
  signals.on("SIGINT", interrupt)
  signals.on("SIGTERM", terminate)
  try {
    wishes = read(argv, env)
    const now = (): number => performance.now()
    said = aside(stderr, beside, wishes, now)
    const company: Company = {
      aside: said,
      asker: asker(terminal, beside, said),
      paint: beside.paint,
      now,
      interrupted: stop.signal,
      version
    }
    if (wishes.verb._tag === "Bridge") {
      const { bridge } = await import("./bridge/bridge.js")
      return await bridge(wishes, terminal, said, stop.signal)
    }
    const look = lookOf(stdout, env, wishes.full)
    return wishes.verb._tag === "Inspect"
      ? await inspect(wishes, company, seen, look, stdout)
      : await perform(wishes, wishes.verb, company, seen, look, terminal)
  } catch (error) {
    const { expired, ended, web } = seen
    const circumstances = { interrupted, expired, ended }
    const trouble = onTheWeb(troubleOf(error, circumstances), web?.exchanges, wishes?.at)
    said?.doing(undefined)
    if (asJson) stdout.write(`${json(failureOf(trouble, seen.transcript, web?.exchanges))}\n`)
    stderr.write(complaint(trouble, seen, beside))
    if (trouble.exit === "broken") stderr.write(`${block(String((error as Error)?.stack))}\n`)
    return exits[trouble.exit][0]
  } finally {
    signals.off("SIGINT", interrupt)
    signals.off("SIGTERM", terminate)
  }
}

/** Asked also where the rest of the command line can not be read. */
const wantsJson = (argv: ReadonlyArray<string>): boolean =>
  (argv.includes("--") ? argv.slice(0, argv.indexOf("--")) : argv).includes("--json")

const quoted = (text: string, width: number): ReadonlyArray<string> =>
  clip(wrap(text, width - 2), 4, width - 2).map((part) => `  ${part}`)

/** Cause, what was seen, remedy. */
function complaint({ exit, message, remedy }: Trouble, seen: Seen, look: Look): string {
  const { paint, width } = look
  const lines = wrap(block(message), width - 8).map(
    (text, at) => `${at === 0 ? paint.bad("parley: ") : "        "}${text}`
  )
  const entries = seen.transcript?.entries ?? []
  const stray = seen.transcript?.stray
  if (exit === "unopened" || exit === "timeout") {
    if (entries.length > 0 && entries.length < 10)
      lines.push("", paint.heading("What went over the wire"), ...wirePage(entries, look))
    const exchanges = seen.web?.exchanges.slice(0, 10) ?? []
    if (exchanges.length > 0)
      lines.push(
        "",
        paint.heading("What came over HTTP"),
        ...exchanges.flatMap((one) => quoted(line(exchangeInWords(one)), width))
      )
    if (stray !== undefined && stray.count > 0)
      lines.push(
        "",
        ...wrap("What it wrote to stdout that is no message", width).map(paint.heading),
        ...stray.first.flatMap((text) => quoted(text, width))
      )
    if (exit === "timeout" && seen.stderr.length > 0)
      lines.push(
        "",
        paint.heading("Its last lines on stderr"),
        ...seen.stderr.slice(-5).flatMap((text) => quoted(text, width))
      )
  }
  if (remedy !== undefined && lines.includes("")) lines.push("")
  if (remedy !== undefined) lines.push(...wrap(`What to do: ${remedy}.`, width - 8).map((text) => `        ${text}`))
  return `${lines.join("\n")}\n`
}
