/** The few checks that the generated ones are made of. None makes a closure, throws, or reads what a prototype holds. */
import type { Check, Problem } from "../check.js"
import { problem } from "../check.js"
import { isObject } from "../json.js"
import { isRequestId } from "../jsonrpc.js"

const no = (expected: string): Problem => problem("", expected)

export const notObject = no("an object")
export const notArray = no("an array")
const notString = no("a string")
const notNumber = no("a number")
const notInteger = no("an integer")
const notShare = no("a number from 0 to 1")
const notBoolean = no("a boolean")
const notNull = no("null")
const absent = no("a value")

export const object: Check = (value) => (isObject(value) ? undefined : notObject)

export const array: Check = (value) => (Array.isArray(value) ? undefined : notArray)

export const string: Check = (value) => (typeof value === "string" ? undefined : notString)

export const number: Check = (value) => (Number.isFinite(value) ? undefined : notNumber)

/** An integer that a double holds exactly. */
export const integer: Check = (value) => (Number.isSafeInteger(value) ? undefined : notInteger)

export const share: Check = (value) => (typeof value === "number" && value >= 0 && value <= 1 ? undefined : notShare)

export const boolean: Check = (value) => (typeof value === "boolean" ? undefined : notBoolean)

export const nothing: Check = (value) => (value === null ? undefined : notNull)

export const anything: Check = (value) => (value === undefined ? absent : undefined)

/** Whether a call is of the common kind: nothing but a name, arguments and a progress token. True only where every revision takes it. */
export const quickToolCall = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  isMaybeObject(value["arguments"]) &&
  value["task"] === undefined &&
  value["inputResponses"] === undefined &&
  value["requestState"] === undefined &&
  quickMeta(value["_meta"])

const quickMeta = (meta: unknown): boolean =>
  meta === undefined || (isObject(meta) && isMaybeToken(meta["progressToken"]))

/** Whether a result is of the common kind: plain texts, and perhaps an object beside them. True only where every revision takes it. */
export function quickToolResult(value: unknown): boolean {
  if (!isObject(value) || !Array.isArray(value["content"])) return false
  for (const block of value["content"] as ReadonlyArray<unknown>) if (!isPlainText(block)) return false
  return (
    isMaybeObject(value["structuredContent"]) &&
    (value["isError"] === undefined || typeof value["isError"] === "boolean") &&
    (value["resultType"] === undefined || value["resultType"] === "complete") &&
    isMaybeObject(value["_meta"])
  )
}

const isMaybeObject = (value: unknown): boolean => value === undefined || isObject(value)

const isMaybeToken = (value: unknown): boolean => value === undefined || isRequestId(value)

const isPlainText = (block: unknown): boolean =>
  isObject(block) &&
  block["type"] === "text" &&
  typeof block["text"] === "string" &&
  block["annotations"] === undefined &&
  block["_meta"] === undefined

/** Whether an envelope is of the common kind: no more of a client than its name and version. True only where every revision takes it. */
export function quickRequestMeta(value: unknown): boolean {
  if (!isObject(value) || typeof value["io.modelcontextprotocol/protocolVersion"] !== "string") return false
  const info = value["io.modelcontextprotocol/clientInfo"]
  return (
    isObject(value["io.modelcontextprotocol/clientCapabilities"]) &&
    (info === undefined || isPlainInfo(info)) &&
    value["io.modelcontextprotocol/logLevel"] === undefined &&
    isMaybeToken(value["progressToken"])
  )
}

const isPlainInfo = (info: unknown): boolean =>
  isObject(info) &&
  typeof info["name"] === "string" &&
  typeof info["version"] === "string" &&
  info["title"] === undefined &&
  info["description"] === undefined &&
  info["websiteUrl"] === undefined &&
  info["icons"] === undefined
