/** The server side on node:http: `listen`, and `nodeHandler` for servers of one's own. */
export { nodeHandler } from "./handler.js"
export type { NodeHandler, NodeOptions } from "./handler.js"
export type { Open } from "../server/endpoint.js"
export { listen } from "./listen.js"
export type { Listening, ListenOptions } from "./listen.js"
