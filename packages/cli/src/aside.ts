/** What is said beside the result, on stderr: remarks, the server's logs, and on a terminal a line that shows what goes on. */
import type { Progress } from "@parley/client"
import { brief, line } from "./clean.js"
import { shorten } from "./layout.js"
import type { Look } from "./paint.js"

export interface Aside {
  readonly say: (text: string) => void
  /** A log of the server's. */
  readonly logged: (params: { readonly level: string; readonly logger?: string; readonly data: unknown }) => void
  readonly progress: (told: Progress) => void
  /** What is being done; shown on a terminal only, until the next one, and gone in the end. */
  readonly doing: (what: string | undefined) => void
  /** While somebody answers a question nothing is written in between: it comes afterwards. */
  readonly hush: (quiet: boolean) => void
}

type Stream = { readonly isTTY?: boolean | undefined; readonly write: (text: string) => unknown }

/** How many lines a server may fill. */
const PATIENCE = 1_000

export function aside(stream: Stream, look: Look, wishes: { readonly quiet: boolean }, now: () => number): Aside {
  const { paint, width } = look
  const live = stream.isTTY === true && !wishes.quiet
  let shown: string | undefined
  let hushed: Array<string> | undefined
  let lines = 0
  let last = Number.NEGATIVE_INFINITY

  const clear = (): void => {
    if (live && shown !== undefined) stream.write("\r\u001b[K")
  }
  const draw = (): void => {
    if (live && shown !== undefined && hushed === undefined) stream.write(shown)
  }
  const say = (text: string): void => {
    if (hushed !== undefined) return void hushed.push(text)
    clear()
    stream.write(`${text}\n`)
    draw()
  }
  const doing = (what: string | undefined): void => {
    clear()
    shown = what === undefined ? undefined : paint.faint(shorten(line(what), width - 1))
    draw()
  }
  const theirs = (text: string): void => {
    if (wishes.quiet || lines > PATIENCE) return
    lines++
    say(lines > PATIENCE ? paint.faint(`(the server goes on; more than ${PATIENCE} lines are not shown)`) : text)
  }

  return {
    say,
    doing,
    logged: ({ level, logger, data }) => {
      const grave = /^(?:error|critical|alert|emergency)$/.test(level)
      const colour = grave ? paint.bad : level === "warning" ? paint.odd : paint.faint
      const from = logger === undefined ? "" : `${line(logger)}: `
      theirs(`${colour(`[${line(level)}]`)} ${shorten(from + brief(data), 2_000)}`)
    },
    progress: (told) => {
      const text = inWords(told)
      if (live) return doing(bar(told, text, width))
      const done = told.total !== undefined && told.progress >= told.total
      if (!done && now() - last < 1_000) return
      last = now()
      theirs(`progress: ${text}`)
    },
    hush: (quiet) => {
      if (quiet) clear()
      const held = hushed ?? []
      hushed = quiet ? held : undefined
      if (quiet) return
      for (const text of held) say(text)
      draw()
    }
  }
}

function inWords({ progress, total, message }: Progress): string {
  const share = total !== undefined && total > 0 ? `${Math.round(fraction(progress, total) * 100)}% ` : ""
  const count = total === undefined ? String(progress) : `(${progress} of ${total})`
  return `${share}${count}${message === undefined ? "" : ` ${line(message)}`}`
}

const BAR = 24

function bar({ progress, total }: Progress, text: string, width: number): string {
  if (total === undefined || total <= 0) return shorten(`… ${text}`, width - 1)
  const full = Math.round(fraction(progress, total) * BAR)
  return shorten(`${"█".repeat(full)}${"░".repeat(BAR - full)} ${text}`, width - 1)
}

const fraction = (progress: number, total: number): number => Math.min(Math.max(progress / total, 0), 1)
