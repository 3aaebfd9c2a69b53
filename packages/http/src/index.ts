/** MCP over Streamable HTTP: `fetchHandler` for a server on web standards, `http` for a client. `@parley/http/node` serves node:http. */
export * from "./client/index.js"
export * from "./server/index.js"
