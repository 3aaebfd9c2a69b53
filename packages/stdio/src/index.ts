/** MCP channels over standard streams: `stdio` for a server, `command` for a client that starts one. */
export * from "./command.js"
export * from "./stdio.js"
