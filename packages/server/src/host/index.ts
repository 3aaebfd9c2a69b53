/** For adapters: one server over many channels, and the look at what its options are. */
export { known } from "../declared.js"
export type { Options } from "../declared.js"
export { host } from "../host.js"
export type { Host, Hosted, Hosting } from "../host.js"
export type { Performable, Performed, Performer, Voice } from "../performing.js"
export { serveOptions } from "../serve-options.js"
