/** The client machine and its words. */
export * from "./machine.js"
export * from "./vocabulary.js"
export { explain } from "./explain.js"
export type { ClientDefinition } from "./definition.js"
export type { State as ClientState } from "./state.js"
