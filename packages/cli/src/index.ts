/** The `parley` command as a function, for whoever wants it inside another program. */
export { exits } from "./exits.js"
export type { Exit } from "./exits.js"
export { run } from "./run.js"
export type { Terminal } from "./terminal.js"
export { usage } from "./usage.js"
