/** Tools on the page: what each is called and does, what it takes and gives. */
import type { Tool, ToolAnnotations } from "@parley/core"
import { block, line } from "./clean.js"
import type { Part } from "./layout.js"
import { cap, clip, flow, shorten, widthOf, wrap } from "./layout.js"
import type { Look, Paint } from "./paint.js"
import type { Field, Members } from "./schema.js"
import { fieldsOf, typeOf } from "./schema.js"
import type { Cell } from "./table.js"
import { table } from "./table.js"

export function toolPage(tool: Tool, look: Look): ReadonlyArray<string> {
  const { paint } = look
  const title = tool.title ?? tool.annotations?.title
  const words = [...hints(tool.annotations ?? {}, paint), ...tasks(tool, paint)]
  const names: Array<Part> = [{ text: line(tool.name), paint: paint.name }]
  if (title !== undefined && line(title) !== line(tool.name)) names.push({ text: line(title), paint: paint.strong })
  const width = look.width - 4
  const heading = flow(names, "  ", width)
  const facts = words.map(([text]) => text).join(", ")
  const room = width - widthOf([...names.map(({ text }) => text), facts].join("  "))
  const painted = words.map(([text, colour]) => colour(text)).join(paint.faint(", "))
  const below = flow(
    words.map(([text, paint], at) => ({ text: text + (at < words.length - 1 ? "," : ""), paint })),
    " ",
    width
  )
  const lines = facts === "" ? heading : room >= 0 ? [`${heading.join("  ")}  ${painted}`] : [...heading, ...below]
  return [
    ...lines.map((text, at) => `${at === 0 ? "  " : "    "}${text}`),
    ...prose(tool.description, look),
    ...takes(tool.inputSchema, look),
    ...(tool.outputSchema === undefined ? [] : gives(tool.outputSchema, look))
  ]
}

/** Indented text of a server's, not too much of it. */
export function prose(
  text: string | undefined,
  { width, full, paint }: Look,
  indent = 4,
  most = 6
): ReadonlyArray<string> {
  if (text === undefined || text.trim() === "") return []
  const lines = wrap(block(text).trim(), width - indent).map((one, at, all) =>
    one === "" && all[at - 1] === "" ? undefined : one
  )
  const kept = lines.filter((one) => one !== undefined)
  return cap(kept, full ? Number.POSITIVE_INFINITY : most).map((one) =>
    one === "" ? "" : " ".repeat(indent) + (one.startsWith("… ") && one.endsWith("--full") ? paint.faint(one) : one)
  )
}

function takes(schema: Members, look: Look): ReadonlyArray<string> {
  const fields = fieldsOf(schema)
  if (fields.length > 0) return fieldTable(fields, look)
  const open = schema["additionalProperties"] !== undefined && schema["additionalProperties"] !== false
  return [look.paint.faint(open ? "    takes any arguments" : "    takes no arguments")]
}

function gives(schema: Members, look: Look): ReadonlyArray<string> {
  const fields = fieldsOf(schema)
  const heading = look.paint.faint("    gives")
  return fields.length === 0
    ? clip(wrap(`gives ${typeOf(schema, schema)}`, look.width - 4), 6, look.width - 4).map((text, at) =>
        at === 0 ? `${heading}${look.paint.type(text.slice("gives".length))}` : `    ${look.paint.type(text)}`
      )
    : [heading, ...fieldTable(fields, look, 6)]
}

export function fieldTable(
  fields: ReadonlyArray<Field>,
  { width, paint, full }: Look,
  indent = 4
): ReadonlyArray<string> {
  const cell = (text: string, paint: Cell["paint"]): Cell => ({ text, paint })
  const rows = fields.map(({ depth, name, type, required, byDefault, description }) => [
    cell("  ".repeat(depth) + name, paint.strong),
    cell(type, paint.type),
    cell(required ? "required" : "", paint.odd),
    cell(
      [byDefault === undefined ? "" : `default ${shorten(byDefault, 40)}`, description]
        .filter((text) => text !== "")
        .join(" · "),
      (text) => text
    )
  ])
  return table(rows, { width, indent, widest: [28, 30, 8], lines: full ? Number.POSITIVE_INFINITY : 3 })
}

/** Words and their colours. */
type Words = ReadonlyArray<readonly [text: string, colour: (text: string) => string]>

function hints(given: ToolAnnotations, { good, odd, bad, faint }: Paint): Words {
  const say = (hint: boolean | undefined, yes: Words[number], no: Words[number]): Words =>
    typeof hint === "boolean" ? [hint ? yes : no] : []
  return [
    ...say(given.readOnlyHint, ["only reads", good], ["writes", odd]),
    ...say(given.destructiveHint, ["may destroy", bad], ["destroys nothing", good]),
    ...say(given.idempotentHint, ["may be repeated", faint], ["each call counts", faint]),
    ...say(given.openWorldHint, ["reaches outside", faint], ["stays inside", faint])
  ]
}

function tasks({ execution }: Tool, paint: Paint): Words {
  const support = execution?.taskSupport
  return support === undefined || support === "forbidden" ? [] : [[`as a task: ${line(support)}`, paint.faint]]
}
