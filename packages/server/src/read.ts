/** Reads a resource: the one at the URI, or by the first template that makes it. */
import type { Asks } from "./asks.js"
import { OtherResult } from "./other-result.js"
import type { RunningCall } from "./running-call.js"
import type { Registry } from "./define.js"
import type { Read, ResourceOptions } from "./resource.js"
import { hints } from "./server-options.js"

/** The result, or nothing when there is no such resource. */
export async function readResource(registry: Registry, uri: string, call: RunningCall): Promise<object | undefined> {
  const resource = registry.resources.get(uri)
  if (resource !== undefined) {
    const { options, read } = resource
    return result(uri, options, read(uri, call.may(options.asks ?? {}) as never), call)
  }
  const at = Object.assign(call, { uri })
  for (const { uriTemplate, options, read } of registry.templates) {
    const variables = uriTemplate.match(uri)
    if (variables === undefined) continue
    const reading = read(variables as never, at.may(options.asks ?? {}) as never)
    const found = await result(uri, options, reading, call)
    if (found !== undefined) return found
  }
  return undefined
}

/** All that those ask who may read it. */
export function readersAsk({ resources, templates }: Registry, uri: string): Asks {
  const fitting = templates.filter(({ uriTemplate }) => uriTemplate.match(uri) !== undefined)
  const all = [resources.get(uri), ...fitting].map((reader) => reader?.options.asks)
  return Object.assign({}, ...all) as Asks
}

async function result(
  uri: string,
  { mimeType, cache }: Pick<ResourceOptions, "mimeType" | "cache">,
  reading: unknown,
  call: RunningCall
): Promise<object | undefined> {
  const read = (await call.value(reading)) as Read
  if (read instanceof OtherResult) return read
  const contents = contentsOf(uri, mimeType, read)
  if (contents === undefined) return undefined
  return cache === undefined ? { contents } : { contents, ...hints(cache) }
}

/** What was read as `contents`, or nothing when there is no such resource. */
function contentsOf(
  uri: string,
  mimeType: string | undefined,
  read: Exclude<Read, OtherResult>
): ReadonlyArray<object> | undefined {
  if (read === undefined) return undefined
  const kind = mimeType === undefined ? {} : { mimeType }
  if (typeof read === "string") return [{ uri, ...kind, text: read }]
  if (read instanceof Uint8Array) return [{ uri, ...kind, blob: base64(read) }]
  return Array.isArray(read) ? read : [read]
}

function base64(bytes: Uint8Array): string {
  let binary = ""
  for (let from = 0; from < bytes.length; from += 32_768)
    binary += String.fromCharCode(...bytes.subarray(from, from + 32_768))
  return btoa(binary)
}
