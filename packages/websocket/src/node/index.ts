/** The server side on node:http: `listen`, and `upgrader` for servers of one's own. */
export { listen } from "./listen.js"
export type { Listening, ListenOptions } from "./listen.js"
export { upgrader } from "./upgrader.js"
export type { Upgrader, UpgradeOptions } from "./upgrader.js"
