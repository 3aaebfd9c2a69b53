/** A strict MCP client over any channel: it sends only what the server declared, and settles every call once. */
export { connect } from "./connect.js"
export type { Client, ConnectOptions } from "./connect.js"
export { CallError } from "./error.js"
export type { Reason } from "./error.js"
export type { CallOptions, Progress } from "./session.js"
