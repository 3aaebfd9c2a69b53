/** The server machine and its words. */
export * from "./machine.js"
export * from "./vocabulary.js"
export type { State as ServerState } from "./state.js"
export { unaskable } from "./ask.js"
export { eraOf } from "./era.js"
export { lacking } from "./offers.js"
