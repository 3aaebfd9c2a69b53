/** Resources, templates and prompts on the page. */
import type { Annotations, Prompt, Resource, ResourceTemplate } from "@parley/core"
import { brief, line } from "./clean.js"
import type { Part } from "./layout.js"
import { flow } from "./layout.js"
import type { Look } from "./paint.js"
import type { Cell } from "./table.js"
import { table } from "./table.js"
import { prose } from "./tool-page.js"

export const resourcePage = (resource: Resource, look: Look): ReadonlyArray<string> =>
  addressed(resource.uri, resource, [size(resource.size)], look)

export const templatePage = (template: ResourceTemplate, look: Look): ReadonlyArray<string> =>
  addressed(template.uriTemplate, template, [], look)

export function promptPage(
  { name, title, description, arguments: args = [] }: Prompt,
  look: Look
): ReadonlyArray<string> {
  const { paint, width, full } = look
  const cell = (text: string, paint: Cell["paint"]): Cell => ({ text, paint })
  const rows = args.map((one) => [
    cell(line(one.name), paint.strong),
    cell(one.required === true ? "required" : "", paint.odd),
    cell([line(one.title ?? ""), line(one.description ?? "")].filter((text) => text !== "").join(" · "), (text) => text)
  ])
  return [
    ...heading(name, title, [], look),
    ...prose(description, look),
    ...(rows.length === 0
      ? [paint.faint("    takes no arguments")]
      : table(rows, { width, indent: 4, widest: [28, 8], lines: full ? Number.POSITIVE_INFINITY : 3 }))
  ]
}

interface Described {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly mimeType?: string
  readonly annotations?: Annotations
}

function addressed(address: string, item: Described, more: ReadonlyArray<string>, look: Look): ReadonlyArray<string> {
  const { name, title, description, mimeType, annotations } = item
  const facts = [line(mimeType ?? ""), ...more, ...hints(annotations ?? {})].filter((fact) => fact !== "")
  return [...heading(address, title ?? name, facts, look), ...prose(description, look, 4, 3)]
}

function heading(
  name: string,
  title: string | undefined,
  facts: ReadonlyArray<string>,
  { paint, width }: Look
): ReadonlyArray<string> {
  const parts: Array<Part> = [{ text: line(name), paint: paint.name }]
  if (title !== undefined && line(title) !== line(name)) parts.push({ text: line(title), paint: paint.strong })
  if (facts.length > 0) parts.push({ text: facts.join(", "), paint: paint.faint })
  return flow(parts, "  ", width - 4).map((text, at) => `${at === 0 ? "  " : "    "}${text}`)
}

function hints({ audience, priority, lastModified }: Annotations): ReadonlyArray<string> {
  return [
    ...(Array.isArray(audience) && audience.length > 0
      ? [`for ${audience.map((one) => brief(one)).join(" and ")}`]
      : []),
    ...(typeof priority === "number" ? [`priority ${priority}`] : []),
    ...(typeof lastModified === "string" ? [`of ${line(lastModified)}`] : [])
  ]
}

/** Bytes as a person counts them. */
export function size(bytes: number | undefined): string {
  if (bytes === undefined) return ""
  if (bytes < 1_000) return `${bytes} B`
  return bytes < 1_000_000 ? `${(bytes / 1_000).toFixed(1)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`
}
