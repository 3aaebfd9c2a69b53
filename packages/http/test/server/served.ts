/** A server with one of each kind, for tests over HTTP. */
import { request } from "@parley/core"
import type { Call } from "@parley/server"
import { defineServer, extension, failed, prompt, resource, tool } from "@parley/server"
import { vi } from "vitest"
import { body } from "./asking.js"

export const info = { name: "http", version: "1.0.0" }
const mirroring = {
  type: "object",
  properties: {
    region: { type: "string", "x-mcp-header": "Region" },
    level: { type: "integer", "x-mcp-header": "Level" },
    dry: { type: "boolean", "x-mcp-header": "Dry" },
    deep: { type: "object", properties: { down: { type: "string", "x-mcp-header": "Down" } } }
  }
} as const

/** Calls that end when they are told to. */
export function held() {
  const calls: Array<{ readonly call: Call; readonly end: (text: string) => void }> = []
  const slow = tool("slow", {}, (_, call) => new Promise<string>((end) => calls.push({ call, end })))
  return { slow, calls }
}

export const ran = vi.fn<(args: unknown) => string>(() => "ran")
const anything = () => undefined
const jobs = extension(
  {
    id: "com.example/jobs",
    client: { "jobs/get": request("client", anything, anything, { header: "jobId" }) }
  } as const,
  { "jobs/get": () => ({}) }
)
export const server = defineServer(
  info,
  [
    tool("plain", {}, () => "plain"),
    tool("mirrors", { input: mirroring }, ran),
    tool("名前", {}, () => "named"),
    tool("throws", {}, () => {
      throw new Error("secret")
    }),
    tool("fails", {}, () => failed("no")),
    prompt("greet", {}, () => "Hello"),
    resource("test://one", { name: "one" }, () => "one")
  ],
  { extensions: [jobs] }
)
export const call = (name: string, args: object = {}, id?: string | number) =>
  body("tools/call", { name, arguments: args }, id)
