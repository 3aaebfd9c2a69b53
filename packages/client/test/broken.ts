/** Replies that no reader of JSON-RPC 2.0 accepts, but for whose id everybody knows whom they answer. */

const jsonrpc = "2.0"

export const broken: ReadonlyArray<readonly [string, object]> = [
  ["has a result that is text", { jsonrpc, result: "done" }],
  ["has a result that is null", { jsonrpc, result: null }],
  ["has a result that is a list", { jsonrpc, result: [] }],
  ["has no jsonrpc", { result: {} }],
  ["has another jsonrpc", { jsonrpc: "1.0", result: {} }],
  ["has an error without a code", { jsonrpc, error: { message: "no" } }],
  ["has an error with a fractional code", { jsonrpc, error: { code: 1.5, message: "no" } }],
  ["has an error without a message", { jsonrpc, error: { code: 1 } }],
  ["has an error that is text", { jsonrpc, error: "no" }],
  ["has a result and an error", { jsonrpc, result: {}, error: { code: 1, message: "no" } }]
]
