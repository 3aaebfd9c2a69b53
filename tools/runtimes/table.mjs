/** What was seen, as a table: a runtime a row, a check a column. */

/** Each check by the name that a verdict has, with its heading and what it is. */
export const columns = [
  ["suites", "tests of core and driver", "the two packages' own test suites, run by Vitest on that runtime"],
  [
    "replay",
    "replay",
    "conversations that were recorded on Node 20, drawn from the tables of every revision with hostile messages among them, replayed through both machines: every output is the same, also when the state is written down and read again in between"
  ],
  ["link", "in memory", "a server and a client over `link()`"],
  ["port", "MessagePort", "the same over a MessagePort, by the channel of [message-port](../examples/message-port)"],
  ["stdio", "stdio", "`command()` and `stdio()`; the server is that runtime once more, as a process of its own"],
  ["socket", "Unix socket", "`stdio()` on both ends of one, as in [unix-socket](../examples/unix-socket)"],
  ["http", "HTTP", "`http()` and `listen()`; in Chromium the client alone, of another origin"],
  [
    "fetch",
    "fetch handler",
    "`http()` and `fetchHandler()`: behind `Bun.serve` and `Deno.serve`, without a socket on Node; in workerd asked from within and from outside"
  ],
  [
    "websocket",
    "WebSocket",
    "`webSocket()` and what the platform has for servers: `listen()` on Node, `acceptor()` elsewhere; in Chromium the client alone"
  ]
]

/** A cell: `ok`, what failed, or a dash where there is nothing of the kind. */
export function cell(verdict) {
  if (verdict === undefined) return "–"
  if (verdict === "ok") return "ok"
  return typeof verdict === "object" ? suiteCell(verdict) : "FAILED"
}

function suiteCell({ ran, failed, excepted }) {
  if (failed.length > 0) return `FAILED (${failed.length})`
  const passed = ran - excepted.length
  return excepted.length === 0 ? count(ran) : `${count(passed)} of ${count(ran)}`
}

const count = (number) => number.toLocaleString("en-US")

/** `rows`: `{ name, version, verdicts }`. */
export function table(rows) {
  const heads = ["runtime", ...columns.map(([, head]) => head)]
  const body = rows.map(({ name, version, verdicts }) => [
    title(name, version),
    ...columns.map(([column]) => cell(verdicts[column]))
  ])
  const widths = heads.map((_, at) => Math.max(...[heads, ...body].map((row) => row[at].length)))
  const line = (row) => `| ${row.map((text, at) => text.padEnd(widths[at])).join(" | ")} |`
  return [line(heads), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n")
}

/** `Node 20` is of version 20.20.2: the number is said once. */
const title = (name, version) => `${name.replace(/ \d+$/, "")} ${version}`

/** The page, whole. */
export function page(rows, { conversations, steps }, exceptions, date) {
  const excepted = exceptions.map(({ runtimes, file, why }) => `- ${runtimes.join(", ")}, \`${file}\`: ${why}.`)
  return `# Runtimes

What \`pnpm runtimes --write\` saw on ${date}. It fetches the runtimes by npm into a cache outside of the repository, and says
which could not be had; Chromium has to be there. ${count(conversations)} conversations of ${count(steps)} steps were replayed.

${table(rows)}

A dash: there is nothing of the kind on that runtime. In workerd and under the page's Content-Security-Policy no string can be
made into code, which is checked as well.

${columns.map(([, head, what]) => `- **${head}**: ${what}.`).join("\n")}

Each conversation is held in both eras: it lists tools, calls one, is refused for wrong arguments, is told of progress, answers a
question, withdraws a call, does not send what was not declared, and makes twenty calls at once.

Tests that ask something of the platform which a runtime has otherwise are counted as not passed there:

${excepted.join("\n")}

What of the platform each layer takes is in [embedding](embedding.md#what-a-runtime-must-provide).
`
}
