/** MCP over WebSocket: `webSocket` for a client, `acceptor` for a server on any platform. `@parley/websocket/node` listens. */
export * from "./client/index.js"
export * from "./server/index.js"
