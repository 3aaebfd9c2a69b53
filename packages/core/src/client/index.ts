/** The client machine and its words. */
export * from "./machine.js"
export * from "./vocabulary.js"
export { asTask } from "./question.js"
export { elicitationsIn, explain } from "./explain.js"
export type { ClientDefinition } from "./definition.js"
export type { State as ClientState } from "./state.js"
