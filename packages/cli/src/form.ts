/** A form of the server's, filled in on the terminal field by field. */
import type { AskingForm, FormAnswer } from "@parley/client"
import type { ElicitFormParams, FormField } from "@parley/core"
import { block, line } from "./clean.js"
import type { Dialogue } from "./dialogue.js"
import type { Value } from "./fields.js"
import { optionsOf, shown, understood, wanted } from "./fields.js"
import { pad, widthOf, wrap } from "./layout.js"
import type { Look } from "./paint.js"

/** `:d` and `:c` end it at any field; in the end it is shown whole, and sent only with consent. */
export async function fillIn(
  form: ElicitFormParams,
  { server, signal, defaults, check }: Pick<AskingForm, "server" | "signal" | "defaults" | "check">,
  { say, ask }: Dialogue,
  { paint, width }: Look
): Promise<FormAnswer> {
  const { properties, required = [] } = form.requestedSchema
  say(
    `\n${paint.heading("?")} ${paint.strong(line(String(server.info?.["name"] ?? "the server")))} asks you to fill in a form`
  )
  for (const text of wrap(block(form.message), width - 2)) say(`  ${text}`)
  say(paint.faint("  An empty line takes the default, or leaves a field out. :d declines, :c cancels."))
  let kept: Readonly<Record<string, Value>> = defaults
  for (;;) {
    const filled: Record<string, Value> = {}
    for (const [name, field] of Object.entries(properties)) {
      const value = await fieldOf(name, field, required.includes(name), kept[name])
      if (value === decline || value === cancel) return { action: value }
      if (value !== undefined) filled[name] = value
    }
    const why = check(filled)
    if (why === undefined) {
      const verdict = await review(filled)
      if (verdict !== "edit") return verdict
    } else say(`  ${paint.bad("It does not fit the form:")} ${line(why)}`)
    kept = filled
  }

  async function fieldOf(name: string, field: FormField, must: boolean, before: Value | undefined) {
    const also = field.title === undefined ? "" : ` ${paint.faint(`(${line(name)})`)}`
    const marks = `${must ? ` ${paint.odd("required")}` : ""}  ${paint.faint(wanted(field))}`
    say(`\n  ${paint.name(line(field.title ?? name))}${also}${marks}`)
    if (field.description !== undefined) for (const text of wrap(line(field.description), width - 4)) say(`    ${text}`)
    optionsOf(field)?.forEach(({ value, title }, at) => {
      const also = title === value ? "" : paint.faint(` (${line(value)})`)
      say(`    ${paint.type(String(at + 1).padStart(2))} ${line(title)}${also}`)
    })
    for (;;) {
      const typed = await ask(before === undefined ? "  > " : `  [${shown(field, before)}] > `, signal)
      if (typed === undefined || typed.trim() === ":c") return cancel
      if (typed.trim() === ":d") return decline
      if (typed.trim() === "") {
        if (before !== undefined || !must) return before
        say(`    ${paint.bad("it is required")}`)
        continue
      }
      const read = understood(field, typed)
      if ("value" in read) return read.value
      say(`    ${paint.bad(read.wrong)}`)
    }
  }

  async function review(filled: Readonly<Record<string, Value>>): Promise<FormAnswer | "edit"> {
    const column = Math.max(0, ...Object.keys(filled).map((name) => widthOf(line(name))))
    say("")
    for (const [name, value] of Object.entries(filled))
      say(`  ${pad(line(name), column)}  ${paint.strong(shown(properties[name]!, value))}`)
    if (Object.keys(filled).length === 0) say(paint.faint("  (nothing)"))
    for (;;) {
      const typed = await ask("  Send this? [y]es, [e]dit, [d]ecline, [c]ancel > ", signal)
      const word = typed?.trim().toLowerCase()
      if (word === "y" || word === "yes") return { action: "accept", content: filled }
      if (word === "e" || word === "edit") return "edit"
      if (word === "d" || word === "decline" || word === ":d") return { action: decline }
      if (word === undefined || word === "c" || word === "cancel" || word === ":c") return { action: cancel }
    }
  }
}

const decline = "decline"
const cancel = "cancel"
