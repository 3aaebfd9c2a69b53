/** The help text. */
import { exits } from "./exits.js"
import type { Option } from "./options.js"
import { options, verbs } from "./options.js"

export const usage = (): string => `Usage: parley <verb> [options] -- <command that starts the server>
       parley <verb> [options] <the server's address>

  parley inspect -- npx -y @modelcontextprotocol/server-everything
  parley inspect --header "Authorization: Bearer $TOKEN" https://example.com/mcp
  parley inspect wss://example.com/mcp
  parley call echo '{"message":"hello"}' -- node server.js
  parley call echo message=hello -- node server.js
  parley bridge --port 3000 -- node server.js

Verbs
${table(Object.entries(verbs).map(([name, [given, help]]) => [`${name} ${given}`.trim(), help]))}

Arguments are JSON, @file, - for standard input, or name=value pairs, which are
read by the tool's schema.

Options
${table(Object.entries(options).map(([name, option]) => [spelled(name, option), option.help]))}

Exit codes
${table(Object.values(exits).map(([code, help]) => [String(code), help]))}
`

const spelled = (name: string, { short, value, type }: Option): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${type === "string" ? ` <${value}>` : ""}`

/** Two columns within 80; a term too long for the first stands alone. */
function table(rows: ReadonlyArray<readonly [term: string, help: string]>): string {
  const column = Math.min(Math.max(...rows.map(([term]) => term.length)), 26) + 4
  return rows
    .flatMap(([term, help]) => {
      const lines = broken(help, 80 - column)
      if (term.length + 4 > column) lines.unshift("")
      return lines.map((text, at) => (at === 0 ? `  ${term}` : "").padEnd(column) + text)
    })
    .map((line) => line.trimEnd())
    .join("\n")
}

function broken(text: string, width: number): Array<string> {
  const lines = [""]
  for (const word of text.split(" ")) {
    const last = lines.at(-1)!
    if (last === "") lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}
