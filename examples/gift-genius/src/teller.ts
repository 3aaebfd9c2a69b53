/** Tells a conversation to whoever watches: its chapters, its messages as they go, its facts, and what was expected of it. */
import type { Frame, Outgoing } from "@parley/driver"
import type { Screen } from "./paint.js"
import { cut, json, wrapped } from "./paint.js"

export interface Teller {
  /** Begins with what it is about, in a sentence. */
  readonly chapter: (title: string, about: string) => void
  /** From now on messages are shown `whole`, or only what they say, and of what comes in only a line. */
  readonly show: (how: "whole" | "brief") => void
  readonly sent: (message: Outgoing["message"]) => void
  readonly received: (frame: Frame) => void
  readonly fact: (name: string, value: string) => void
  readonly text: (text: string, indent?: number) => void
  /** Notes whether something is as it should be. */
  readonly expect: (what: string, holds: boolean) => void
  /** What was not as it should be. */
  readonly wrong: () => ReadonlyArray<string>
}

export function teller({ width, style, line }: Screen, now: () => number): Teller {
  const began = now()
  const methods = new Map<unknown, string>()
  const wrong: Array<string> = []
  let how: "whole" | "brief" = "whole"

  function message(arrow: "-->" | "<--", value: unknown): void {
    const title = titleOf(value)
    const start = `${(now() - began).toFixed(0).padStart(5)} ms  client ${arrow} ${title}`
    const [time, who, name] = [style("dim", start.slice(0, 8)), start.slice(10, 20), style("bold", title)]
    const heading = `${time}  ${style(arrow === "-->" ? "cyan" : "magenta", who)} ${name}`
    const said = how === "brief" ? saidIn(value) : value
    const beside = width - start.length - 2
    if (said === undefined) return line(heading)
    if (how === "brief" && (arrow === "<--" || json(said, beside).length === 1))
      return line(`${heading}  ${style("dim", cut(said, beside))}`)
    line(heading)
    for (const text of json(said, width - indent.length)) line(indent + style("dim", text))
  }

  /** What a reply answers is known by its id. */
  function titleOf(value: unknown): string {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "a batch"
    const { id, method, error } = value as {
      id?: unknown
      method?: string
      error?: { code: number }
    }
    if (method !== undefined) {
      if (id !== undefined) methods.set(id, method)
      return method
    }
    const asked = methods.get(id) ?? "nothing that was asked"
    return error === undefined ? `result of ${asked}` : `error ${error.code} for ${asked}`
  }

  function text(words: string, spaces = 2): void {
    for (const part of wrapped(words, width - spaces)) line(" ".repeat(spaces) + part)
  }

  return {
    chapter: (title, about) => {
      line()
      line(style(["bold", "underline"], title))
      text(about)
    },
    show: (next) => {
      how = next
    },
    sent: (value) => message("-->", value),
    received: (frame) => message("<--", frame._tag === "Text" ? JSON.parse(frame.text) : frame),
    fact: (name, value) => {
      const [first = "", ...rest] = wrapped(value, width - 28)
      line(`  ${style("dim", name.padEnd(24))}  ${first}`)
      for (const more of rest) line(" ".repeat(28) + more)
    },
    text,
    expect: (what, holds) => {
      if (!holds) wrong.push(what)
      line(`  ${holds ? style("green", "ok") : style(["red", "bold"], "NO")}  ${what}`)
    },
    wrong: () => wrong
  }
}

/** A message without its frame: what is asked for, answered or told. */
function saidIn(value: unknown): unknown {
  if (typeof value !== "object" || value === null || !("jsonrpc" in value)) return value
  const { params, result, error } = value as { readonly [member: string]: unknown }
  return params ?? result ?? error
}

const indent = "          "
