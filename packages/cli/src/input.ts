/** The arguments of a call as they stand on the command line: JSON, a file of it, standard input, or name=value pairs. */
import type { JsonObject } from "@parley/core"
import { readFileSync } from "node:fs"
import type { Readable } from "node:stream"
import { DEEPEST, isTooDeep } from "./depth.js"
import type { Members } from "./schema.js"
import { isRecord } from "./schema.js"
import { Stop } from "./trouble.js"

/** Pairs wait for a schema, which says what is a number and what is a text. */
export type Input =
  | { readonly _tag: "Whole"; readonly value: JsonObject }
  | { readonly _tag: "Pairs"; readonly pairs: ReadonlyArray<readonly [name: string, value: string]> }

export async function inputOf(words: ReadonlyArray<string>, stdin: Readable): Promise<Input> {
  const [first, ...more] = words
  if (first === undefined) return { _tag: "Whole", value: {} }
  if (/^\s*[[{"]/.test(first)) return whole(alone(first, more), "the arguments")
  if (first === "-" && alone(first, more) === first) return whole(await textOf(stdin), "standard input")
  if (first.startsWith("@")) return whole(contentsOf(alone(first, more).slice(1)), first.slice(1))
  const pairs = words.map(pairOf)
  const twice = pairs.find(([name], at) => pairs.findIndex(([other]) => other === name) < at)
  if (twice !== undefined) throw new Stop("usage", `The argument ${twice[0]} is given twice`)
  return { _tag: "Pairs", pairs }
}

/** The values by what the schema says of each; a text where it says nothing and it is no JSON. */
export const byNames = (pairs: ReadonlyArray<readonly [string, string]>, schema: Members): JsonObject =>
  Object.fromEntries(pairs.map(([name, text]) => [name, valueOf(text, propertyOf(schema, name))])) as JsonObject

/** Arguments of prompts are texts. */
export function texts(input: Input): { readonly [name: string]: string } {
  if (input._tag === "Pairs") return Object.fromEntries(input.pairs)
  const strange = Object.entries(input.value).find(([, value]) => typeof value !== "string")
  if (strange === undefined) return input.value as { readonly [name: string]: string }
  throw new Stop("usage", `The argument ${strange[0]} of a prompt must be a text, such as {"${strange[0]}":"..."}`)
}

function whole(text: string, from: string): Input {
  let value: unknown
  try {
    // Some editors begin a file with a byte order mark.
    value = JSON.parse(text.replace(/^\ufeff/, ""))
  } catch (error) {
    throw new Stop(
      "usage",
      `${from}: this is not JSON: ${(error as Error).message}`,
      'quote it for the shell: \'{"name":"value"}\''
    )
  }
  if (isTooDeep(value)) throw new Stop("usage", `${from}: nested deeper than ${DEEPEST} levels`)
  if (!isRecord(value)) throw new Stop("usage", `${from}: arguments are a JSON object, such as {"name":"value"}`)
  return { _tag: "Whole", value }
}

function alone(word: string, more: ReadonlyArray<string>): string {
  if (more.length > 0)
    throw new Stop("usage", `After the arguments nothing more is expected, and there is ${JSON.stringify(more[0])}`)
  return word
}

function contentsOf(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    throw new Stop("usage", `The file of the arguments can not be read: ${(error as Error).message}`)
  }
}

async function textOf(stdin: Readable): Promise<string> {
  const chunks: Array<Buffer> = []
  for await (const chunk of stdin) chunks.push(Buffer.from(chunk as Uint8Array))
  return Buffer.concat(chunks).toString("utf8")
}

function pairOf(word: string): readonly [string, string] {
  const at = word.indexOf("=")
  if (at <= 0)
    throw new Stop(
      "usage",
      `${JSON.stringify(word)} is neither JSON nor name=value`,
      'quote JSON for the shell: \'{"name":"value"}\''
    )
  return [word.slice(0, at), word.slice(at + 1)]
}

function propertyOf(schema: Members, name: string): Members {
  const { properties } = schema
  const found = isRecord(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined
  return isRecord(found) ? found : {}
}

function valueOf(text: string, schema: Members): unknown {
  const types = new Set(Array.isArray(schema["type"]) ? (schema["type"] as ReadonlyArray<unknown>) : [schema["type"]])
  if (types.has("string") && types.size === 1) return text
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
