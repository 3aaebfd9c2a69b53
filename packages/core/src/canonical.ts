/** A JSON value as the one text that stands for it: members in the order of their names, however deep. */

/** Values that are equal but for the order of their members have the same text. It keeps no stack: depth is the peer's to choose. */
export function canonical(value: unknown): string {
  let text = ""
  const todo: Array<Piece> = [{ value }]
  while (todo.length > 0) {
    const next = todo.pop()!
    if (typeof next === "string") text += next
    else text += opened(next.value, todo)
  }
  return text
}

/** Text that is ready, or a value that is yet to be written. */
type Piece = string | { readonly value: unknown }

/** What begins the value; the rest of it is left to do, the last first. */
function opened(value: unknown, todo: Array<Piece>): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value) ?? "null"
  const list = Array.isArray(value)
  todo.push(list ? "]" : "}")
  const members = list
    ? value.map((item: unknown) => ["", item] as const)
    : Object.keys(value)
        .toSorted()
        .map((key) => [`${JSON.stringify(key)}:`, (value as { readonly [key: string]: unknown })[key]] as const)
        .filter(([, item]) => item !== undefined)
  for (let at = members.length - 1; at >= 0; at--) {
    const [name, item] = members[at]!
    todo.push({ value: item }, at === 0 ? name : `,${name}`)
  }
  return list ? "[" : "{"
}
