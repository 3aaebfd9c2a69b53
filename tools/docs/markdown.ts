/** Markdown's few forms that the generated pages are made of. */

/** A table; columns that no row fills are left out. */
export function table(head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string {
  const kept = head.map((_, column) => rows.some((row) => row[column] !== ""))
  const line = (cells: ReadonlyArray<string>) => `| ${cells.filter((_, column) => kept[column]).join(" | ")} |`
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n")
}

export const code = (text: string): string => `\`${text}\``

export const codes = (texts: ReadonlyArray<string>): string => texts.map(code).join(", ")

/** `a, b and c`. */
export const listed = (texts: ReadonlyArray<string>): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts[texts.length - 1]!}`

/** Where a heading's link leads, as GitHub spells it. */
export const anchor = (heading: string): string =>
  `#${heading
    .toLowerCase()
    .replace(/[^a-z0-9 -]/g, "")
    .replaceAll(" ", "-")}`
