/** Tells a conversation to whoever watches: its chapters, its messages as they go, its facts, and what was expected of it. */
import type { Frame, Outgoing } from "@parley/driver"
import type { Screen } from "./paint.js"
import { cut, json, wrapped } from "./paint.js"

export interface Teller {
  readonly chapter: (title: string) => void
  /** From now on what comes in is shown `whole`, or on one line. */
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

  function message(arrow: string, who: string, value: unknown): void {
    const time = `${(now() - began).toFixed(0).padStart(5)} ms`
    const heading = `${style(arrow === ">" ? "cyan" : "magenta", `${who} ${arrow === ">" ? "-->" : "<--"}`)} ${style("bold", titleOf(value))}`
    line(`${style("dim", time)}  ${heading}`)
    const room = width - indent.length
    for (const text of how === "whole" || arrow === ">" ? json(value, room) : [cut(value, room)])
      line(indent + style("dim", text))
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

  return {
    chapter: (title) => {
      line()
      line(style(["bold", "underline"], title))
    },
    show: (next) => {
      how = next
    },
    sent: (value) => message(">", "client", value),
    received: (frame) => message("<", "client", frame._tag === "Text" ? JSON.parse(frame.text) : frame),
    fact: (name, value) => {
      const [first = "", ...rest] = wrapped(value, width - 28)
      line(`  ${style("dim", name.padEnd(24))}  ${first}`)
      for (const more of rest) line(" ".repeat(28) + more)
    },
    text: (text, spaces = 2) => {
      for (const part of wrapped(text, width - spaces)) line(" ".repeat(spaces) + part)
    },
    expect: (what, holds) => {
      if (!holds) wrong.push(what)
      line(`  ${holds ? style("green", "ok") : style(["red", "bold"], "NO")}  ${what}`)
    },
    wrong: () => wrong
  }
}

const indent = "          "
