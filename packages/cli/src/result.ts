/** What a tool, a resource or a prompt answered, as text for a person. */
import type { CallToolResult, ContentBlock, GetPromptResult, ReadResourceResult, ResourceContents } from "@parley/core"
import { block, json, line } from "./clean.js"
import { size } from "./item-page.js"
import type { Look } from "./paint.js"

export function toolText({ content, structuredContent }: CallToolResult, look: Look): string {
  const parts = content.map((one) => blockText(one, look))
  if (structuredContent !== undefined && !content.some((one) => says(one, structuredContent)))
    parts.push(json(structuredContent))
  return parts.length === 0 ? look.paint.faint("(it answered nothing)") : parts.join("\n")
}

export const resourceText = ({ contents }: ReadResourceResult, look: Look): string =>
  contents.length === 0
    ? look.paint.faint("(it is empty)")
    : contents
        .map((one) =>
          contents.length === 1
            ? contentsText(one, look)
            : `${look.paint.faint(line(one.uri))}\n${contentsText(one, look)}`
        )
        .join("\n")

export function promptText({ description, messages }: GetPromptResult, look: Look): string {
  const { paint } = look
  return [
    ...(description === undefined ? [] : [paint.faint(line(description))]),
    ...messages.map(({ role, content }) => `${paint.type(line(role))}: ${blockText(content, look)}`)
  ].join("\n")
}

/** The very bytes, of all contents one after the other. */
export const rawOf = ({ contents }: ReadResourceResult): Uint8Array =>
  Buffer.concat(
    contents.map((one) => ("blob" in one ? Buffer.from(one.blob, "base64") : Buffer.from(one.text, "utf8")))
  )

function blockText(content: ContentBlock, look: Look): string {
  const { paint } = look
  switch (content.type) {
    case "text":
      return block(content.text)
    case "image":
    case "audio":
      return paint.faint(`[${content.type}: ${line(content.mimeType)}, ${size(bytesIn(content.data))}]`)
    case "resource_link":
      return `${paint.faint("[link]")} ${paint.name(line(content.uri))} ${line(content.title ?? content.name)}`
    case "resource":
      return `${paint.faint(`[resource ${line(content.resource.uri)}]`)}\n${contentsText(content.resource, look)}`
  }
}

const contentsText = (contents: ResourceContents, { paint }: Look): string =>
  "blob" in contents
    ? paint.faint(`[${line(contents.mimeType ?? "bytes")}, ${size(bytesIn(contents.blob))}; --raw prints the bytes]`)
    : block(contents.text)

const bytesIn = (base64: string): number => Math.floor((base64.replace(/=+$/, "").length * 3) / 4)

/** Older clients read the structured answer from a text block, so it often stands there too. */
function says(content: ContentBlock, structured: unknown): boolean {
  if (content.type !== "text") return false
  try {
    return JSON.stringify(JSON.parse(content.text)) === JSON.stringify(structured)
  } catch {
    return false
  }
}
