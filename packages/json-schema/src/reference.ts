/** Finds what every reference of a schema leads to, and refuses those that lead nowhere, out of it or in circles. */
import { dereference } from "@cfworker/json-schema"
import { bounds } from "./bounds.js"
import { keywords } from "./keyword.js"
import { isObject } from "./path.js"
import { SchemaRefused } from "./refused.js"

/** A schema as the library reads it. What `dereference` adds is not enumerable. */
export interface Node {
  [key: string]: unknown
  readonly __absolute_ref__?: string
  readonly __absolute_recursive_ref__?: string
  readonly __absolute_uri__?: string
}

/** Every schema by its address, as the library wants it. */
export type Table = ReturnType<typeof dereference>

/** The table of a document whose schemas are `nodes`. Throws `SchemaRefused`. */
export function resolved(root: Node, nodes: ReadonlyArray<Node>): Table {
  const table = dereferenced(root)
  const done = new Set<unknown>()
  const open = new Set<unknown>()
  const follow = (node: unknown): void => {
    if (!isObject(node) || done.has(node)) return
    if (open.has(node))
      throw new SchemaRefused("endless", addressOf(node), "The schema refers to itself without going into the value")
    if (open.size > bounds.chain)
      throw new SchemaRefused("size", addressOf(node), `More than ${bounds.chain} references in a row`)
    open.add(node)
    for (const next of sameValue(node, table)) follow(next)
    open.delete(node)
    done.add(node)
  }
  for (const node of nodes) follow(node)
  return table
}

function dereferenced(root: Node): Table {
  try {
    return dereference(root)
  } catch (error) {
    throw new SchemaRefused(
      "broken",
      "",
      `The schema's identifiers or references can not be read: ${String(error)}`,
      error
    )
  }
}

function sameValue(node: Node, table: Table): ReadonlyArray<unknown> {
  const found: Array<unknown> = []
  if (node["$ref"] !== undefined) found.push(target(node, "$ref", node.__absolute_ref__, table))
  if (node["$recursiveRef"] !== undefined)
    found.push(target(node, "$recursiveRef", node.__absolute_recursive_ref__, table))
  for (const key of Object.keys(node)) {
    const keyword = keywords.get(key)
    const value = node[key]
    if (keyword?.same !== true || typeof value !== "object" || value === null) continue
    if (keyword.kind === "schema") found.push(value)
    else found.push(...Object.values(value).filter((one) => !Array.isArray(one)))
  }
  return found
}

function target(node: Node, key: string, address: string | undefined, table: Table): unknown {
  const found = address === undefined ? undefined : table[address]
  if (found !== undefined) return found
  const reference = String(node[key])
  throw new SchemaRefused(
    "reference",
    addressOf(node),
    reference.startsWith("#")
      ? `${key} ${JSON.stringify(reference)} leads nowhere`
      : `${key} ${JSON.stringify(reference)} leads out of the document. Nothing is ever fetched: put what it names under $defs`
  )
}

function addressOf(node: unknown): string {
  const address = (node as Node).__absolute_uri__ ?? ""
  return address.includes("#") ? decodeURIComponent(address.slice(address.indexOf("#") + 1)) : ""
}
