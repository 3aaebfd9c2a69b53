/** The keys of `_meta` by which a request says who asks (2026-07-28), and a reply who answers. */

export const protocolVersion = "io.modelcontextprotocol/protocolVersion"
export const clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
export const clientInfo = "io.modelcontextprotocol/clientInfo"
export const logLevel = "io.modelcontextprotocol/logLevel"

/** On what belongs to a stream: the id of the request that opened it. */
export const subscriptionId = "io.modelcontextprotocol/subscriptionId"
export const serverInfo = "io.modelcontextprotocol/serverInfo"

/** Any of these makes an envelope, even without a version: others under the same prefix are older than it. */
export const claims: ReadonlyArray<string> = [clientCapabilities, clientInfo, logLevel]
