/** Matches a regular expression in time that grows with the text alone, whatever the expression: all ways at once. */
import { spend } from "./bounds.js"
import type { Expression } from "./expression.js"
import { anchored } from "./expression.js"

/** True when the expression matches anywhere in the text. Spends work; throws `exhausted`. */
export type Matcher = (text: string) => boolean

type Step =
  | { readonly _tag: "Character"; readonly fits: (character: string) => boolean; to: number }
  | { readonly _tag: "Fork"; to: number; or: number }
  | { readonly _tag: "Assert"; readonly what: "^" | "$" | "b" | "B"; to: number }
  | { readonly _tag: "Found" }

const largest = 4_000

/** Nothing when the expression looks around or back, or is too large. */
export function linear(expression: Expression, flags: string): Matcher | undefined {
  const program: Array<Step> = []
  if (!emit(expression, program, flags)) return undefined
  program.push({ _tag: "Found" })
  const once = anchored(expression)
  return (text) => run(program, flags === "u" ? Array.from(text) : text.split(""), once)
}

function emit(expression: Expression, program: Array<Step>, flags: string): boolean {
  if (program.length > largest) return false
  const here = program.length
  switch (expression._tag) {
    case "Look":
    case "Back":
      return false
    case "Atom": {
      const { source } = expression
      const one = new RegExp(`^(?:${source})$`, flags)
      const fits = /^[\w\s-]$/.test(source) ? (c: string) => c === source : (c: string) => one.test(c)
      program.push({ _tag: "Character", fits, to: here + 1 })
      return true
    }
    case "Assert":
      program.push({ _tag: "Assert", what: expression.what, to: here + 1 })
      return true
    case "Sequence":
      return expression.parts.every((part) => emit(part, program, flags))
    case "Choice":
      return emitChoice(expression.parts, program, flags)
    case "Repeat":
      return emitRepeat(expression.body, expression.min, expression.max, program, flags)
  }
}

function emitChoice(parts: ReadonlyArray<Expression>, program: Array<Step>, flags: string): boolean {
  const ends: Array<{ to: number }> = []
  for (const [i, part] of parts.entries()) {
    const fork = { _tag: "Fork" as const, to: program.length + 1, or: program.length + 1 }
    if (i < parts.length - 1) program.push(fork)
    if (!emit(part, program, flags)) return false
    const end = { _tag: "Fork" as const, to: 0, or: 0 }
    program.push(end)
    ends.push(end)
    fork.or = program.length
  }
  for (const end of ends) Object.assign(end, { to: program.length, or: program.length })
  return true
}

function emitRepeat(body: Expression, min: number, max: number, program: Array<Step>, flags: string): boolean {
  for (let i = 0; i < min; i++) if (!emit(body, program, flags)) return false
  if (max === Infinity) {
    const fork = { _tag: "Fork" as const, to: program.length + 1, or: 0 }
    const start = program.push(fork) - 1
    if (!emit(body, program, flags)) return false
    program.push({ _tag: "Fork", to: start, or: start })
    fork.or = program.length
    return true
  }
  const forks: Array<{ or: number }> = []
  for (let i = min; i < max; i++) {
    const fork = { _tag: "Fork" as const, to: program.length + 1, or: 0 }
    program.push(fork)
    forks.push(fork)
    if (!emit(body, program, flags)) return false
  }
  for (const fork of forks) fork.or = program.length
  return true
}

function run(program: ReadonlyArray<Step>, text: ReadonlyArray<string>, once: boolean): boolean {
  // The last place each step was reached at, so that none is looked at twice there.
  const reached = new Int32Array(program.length).fill(-1)
  let waiting: Array<number> = []
  for (let at = 0; at <= text.length; at++) {
    if (once && at > 0 && waiting.length === 0) return false
    const open = waiting
    if (!once || at === 0) open.push(0)
    waiting = []
    const character = text[at]
    let looked = 0
    while (open.length > 0) {
      const index = open.pop()!
      if (reached[index] === at) continue
      reached[index] = at
      looked++
      const step = program[index]!
      if (step._tag === "Found") return true
      if (step._tag === "Fork") open.push(step.or, step.to)
      else if (step._tag === "Assert") {
        if (holds(step.what, text, at)) open.push(step.to)
      } else if (character !== undefined && step.fits(character)) waiting.push(step.to)
    }
    spend(1 + looked)
  }
  return false
}

function holds(what: "^" | "$" | "b" | "B", text: ReadonlyArray<string>, at: number): boolean {
  if (what === "^") return at === 0
  if (what === "$") return at === text.length
  return (isWord(text[at - 1]) !== isWord(text[at])) === (what === "b")
}

const isWord = (character: string | undefined): boolean => character !== undefined && /^\w$/.test(character)
