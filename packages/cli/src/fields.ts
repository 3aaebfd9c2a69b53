/** The fields of a form: what to type, and what a typed line means. */
import type { FormField } from "@parley/core"
import { line } from "./clean.js"

export type Value = string | number | boolean | ReadonlyArray<string>

export interface Option {
  readonly value: string
  readonly title: string
}

/** What was typed, understood or not. */
export type Understood = { readonly value: Value } | { readonly wrong: string }

/** What may be chosen, when the field is a choice. */
export function optionsOf(field: FormField): ReadonlyArray<Option> | undefined {
  if (field.type === "array")
    return "anyOf" in field.items ? field.items.anyOf.map(titled) : field.items.enum.map((value) => named(value))
  if (field.type !== "string") return undefined
  if ("oneOf" in field) return field.oneOf.map(titled)
  if ("enum" in field) return field.enum.map((value, at) => named(value, field.enumNames?.[at]))
  return undefined
}

/** What kind of answer is wanted, in words. */
export function wanted(field: FormField): string {
  switch (field.type) {
    case "boolean":
      return "yes or no"
    case "number":
    case "integer":
      return (
        (field.type === "integer" ? "a whole number" : "a number") + comma(between(field.minimum, field.maximum, ""))
      )
    case "array":
      return `any of these, with commas between${comma(between(field.minItems, field.maxItems, " of them"))}`
    case "string":
      if (optionsOf(field) !== undefined) return "one of these"
      return "format" in field && field.format !== undefined
        ? formats[field.format]
        : `text${"minLength" in field || "maxLength" in field ? comma(between(field.minLength, field.maxLength, " characters")) : ""}`
  }
}

export function understood(field: FormField, text: string): Understood {
  const typed = text.trim()
  const options = optionsOf(field)
  switch (field.type) {
    case "boolean":
      if (/^(?:y|yes|true|1)$/i.test(typed)) return { value: true }
      return /^(?:n|no|false|0)$/i.test(typed) ? { value: false } : { wrong: "type yes or no" }
    case "number":
    case "integer":
      return numbered(field, typed)
    case "array":
      return several(field, options!, typed)
    case "string":
      return options === undefined ? worded(field, text) : one(options, typed)
  }
}

/** As it is shown to the person: a choice by its title. */
export function shown(field: FormField, value: Value): string {
  if (typeof value === "boolean") return value ? "yes" : "no"
  const title = (one: unknown): string =>
    line(optionsOf(field)?.find((option) => option.value === one)?.title ?? String(one))
  return Array.isArray(value) ? value.map(title).join(", ") : title(value)
}

function numbered(
  field: { readonly type: string; readonly minimum?: number; readonly maximum?: number },
  typed: string
): Understood {
  const value = Number(typed)
  if (typed === "" || !Number.isFinite(value)) return { wrong: "type a number" }
  if (field.type === "integer" && !Number.isInteger(value)) return { wrong: "type a whole number" }
  const [low, high] = [field.minimum ?? -Infinity, field.maximum ?? Infinity]
  return value < low || value > high ? { wrong: `it must be ${between(field.minimum, field.maximum, "")}` } : { value }
}

function one(options: ReadonlyArray<Option>, typed: string): Understood {
  const found = chosen(options, typed)
  return found === undefined ? { wrong: "type its number or its name" } : { value: found }
}

function several(
  field: { readonly minItems?: number; readonly maxItems?: number },
  options: ReadonlyArray<Option>,
  typed: string
): Understood {
  const words = typed
    .split(",")
    .map((word) => word.trim())
    .filter((word) => word !== "")
  const values = words.map((word) => chosen(options, word))
  const strange = words.find((_, at) => values[at] === undefined)
  if (strange !== undefined) return { wrong: `${line(strange)} is none of them` }
  const value = [...new Set(values as ReadonlyArray<string>)]
  const [low, high] = [field.minItems ?? 0, field.maxItems ?? Infinity]
  return value.length < low || value.length > high
    ? { wrong: `choose ${between(field.minItems, field.maxItems, " of them")}` }
    : { value }
}

/** By its name first: a name may be a number. */
function chosen(options: ReadonlyArray<Option>, typed: string): string | undefined {
  const exact = options.find(({ value, title }) => value === typed || title === typed)
  if (exact !== undefined) return exact.value
  const folded = typed.toLowerCase()
  const alike = options.filter(({ value, title }) => value.toLowerCase() === folded || title.toLowerCase() === folded)
  if (alike.length === 1) return alike[0]!.value
  return /^\d+$/.test(typed) ? options[Number(typed) - 1]?.value : undefined
}

function worded(field: FormField, text: string): Understood {
  const { minLength, maxLength, format } = field as {
    minLength?: number
    maxLength?: number
    format?: keyof typeof formats
  }
  // JSON Schema counts code points.
  const { length } = Array.from(text)
  if (length < (minLength ?? 0) || length > (maxLength ?? Infinity))
    return { wrong: `it must have ${between(minLength, maxLength, " characters")}` }
  return format === undefined || fits[format](text) ? { value: text } : { wrong: `type ${formats[format]}` }
}

const formats = {
  email: "an e-mail address",
  uri: "a URI, such as https://example.com/",
  date: "a date, such as 2026-01-31",
  "date-time": "a date and time, such as 2026-01-31T12:00:00Z"
} as const

const fits: Readonly<Record<keyof typeof formats, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: (text) => URL.canParse(text),
  date: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
  "date-time": (text) =>
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/i.test(text) && !Number.isNaN(Date.parse(text))
}

function between(low: number | undefined, high: number | undefined, unit: string): string {
  if (low === undefined && high === undefined) return ""
  if (low === undefined) return `at most ${high}${unit}`
  return high === undefined ? `at least ${low}${unit}` : `from ${low} to ${high}${unit}`
}

const comma = (text: string): string => (text === "" ? "" : `, ${text}`)

const named = (value: string, title: string = value): Option => ({ value, title })

const titled = (option: { readonly const: string; readonly title: string }): Option => named(option.const, option.title)
