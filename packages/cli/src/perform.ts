/** The verbs that ask for one thing: `call`, `read`, `prompt`, `complete`. */
import type { Client } from "@parley/client"
import type { CallToolResult } from "@parley/core"
import { json, line } from "./clean.js"
import type { Verb, Wishes } from "./command-line.js"
import { DEEPEST, isTooDeep } from "./depth.js"
import { exits } from "./exits.js"
import type { Input } from "./input.js"
import { byNames, inputOf, texts } from "./input.js"
import type { Look } from "./paint.js"
import type { Members } from "./schema.js"
import { promptText, rawOf, resourceText, toolText } from "./result.js"
import type { Terminal } from "./terminal.js"
import { Stop } from "./trouble.js"
import type { Company, Seen, Visit } from "./visit.js"
import { visit } from "./visit.js"

type Errand = Exclude<Verb, { readonly _tag: "Inspect" | "Bridge" }>

/** What to print, and how to leave. */
interface Answer {
  readonly result: object
  readonly text: string | Uint8Array
  readonly code: number
}

export async function perform(
  wishes: Wishes,
  verb: Errand,
  company: Company,
  seen: Seen,
  look: Look,
  { stdin, stdout }: Terminal
): Promise<number> {
  // What is wrong with the arguments is said before a server is started.
  const input: Input = await inputOf("input" in verb ? verb.input : [], stdin)
  const { result, text, code } = await visit(wishes, company, seen, (visit) => run(wishes, verb, input, visit, look))
  if (isTooDeep(result))
    throw new Stop(
      "refused",
      `The answer is nested deeper than ${DEEPEST} levels, and is not shown`,
      "this is a mistake of the server's; --verbose shows its answer"
    )
  if (wishes.json) stdout.write(`${json(result)}\n`)
  else if (typeof text === "string") stdout.write(text === "" ? "" : `${text}\n`)
  else stdout.write(text)
  return code
}

async function run(
  wishes: Wishes,
  verb: Errand,
  input: Input,
  { client, patience, restart }: Visit,
  look: Look
): Promise<Answer> {
  switch (verb._tag) {
    case "Call": {
      const args =
        input._tag === "Whole"
          ? input.value
          : byNames(input.pairs, await schemaOf(client, verb.tool, patience.signal!, wishes.unchecked))
      restart()
      const result = wishes.unchecked
        ? ((await client.request(
            "tools/call",
            { name: verb.tool, arguments: args },
            patience
          )) as unknown as CallToolResult)
        : await client.callTool(verb.tool, args, patience)
      return {
        result,
        text: toolText(result, look),
        code: result.isError === true ? exits.toolFailed[0] : exits.fine[0]
      }
    }
    case "Read": {
      const result = await client.readResource(verb.uri, patience)
      return { result, text: wishes.raw ? rawOf(result) : resourceText(result, look), code: 0 }
    }
    case "Prompt": {
      const result = await client.getPrompt(verb.prompt, texts(input), patience)
      return { result, text: promptText(result, look), code: 0 }
    }
    case "Complete": {
      const of = /[{:]/.test(verb.of) ? { template: verb.of } : { prompt: verb.of }
      const result = await client.complete(of, { name: verb.argument, value: verb.value }, patience)
      const more = result.hasMore === true ? [look.paint.faint("(there are more)")] : []
      return { result, text: [...result.values.map(line), ...more].join("\n"), code: 0 }
    }
  }
}

/** Of a tool that is not listed nothing is known; the call itself will say so. */
async function schemaOf(client: Client, name: string, signal: AbortSignal, unchecked: boolean): Promise<Members> {
  const options = { signal, timeoutMs: 2_000_000_000 }
  // A checked call needs the whole list all the same.
  if (!unchecked) return (await client.listTools(options)).find((tool) => tool.name === name)?.inputSchema ?? {}
  for await (const tool of client.tools(options)) if (tool.name === name) return tool.inputSchema
  return {}
}
