/** The seven messages of the example, and the six answers to them. */
import { expect } from "vitest"

const us = { capabilities: {}, clientInfo: { name: "test", version: "1" } }

export const messages = [
  { jsonrpc: "2.0", id: 1, method: "tools/list" },
  { jsonrpc: "2.0", id: 2, method: "initialize", params: { protocolVersion: "1999-01-01", ...us } },
  { jsonrpc: "2.0", id: 3, method: "initialize", params: { protocolVersion: "2024-11-05", ...us } },
  { jsonrpc: "2.0", id: 4, method: "tools/list" },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 5, method: "tools/list" },
  { jsonrpc: "2.0", id: 6, method: "resources/list" }
]

const supported = ["2025-03-26", "2024-11-05"]
const message = expect.any(String)

export const answers = [
  { jsonrpc: "2.0", id: 1, error: { code: -32600, message, data: { supported } } },
  { jsonrpc: "2.0", id: 2, error: { code: -32602, message, data: { supported, requested: "1999-01-01" } } },
  {
    jsonrpc: "2.0",
    id: 3,
    result: {
      protocolVersion: "2024-11-05",
      capabilities: { tools: { listChanged: false } },
      serverInfo: { name: "cantine", version: "0.2" }
    }
  },
  { jsonrpc: "2.0", id: 4, error: { code: -32600, message } },
  { jsonrpc: "2.0", id: 5, result: { tools: [] } },
  { jsonrpc: "2.0", id: 6, error: { code: -32601, message } }
]
