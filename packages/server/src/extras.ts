/** What few servers need: most declare nothing beside their items, end their sessions with the process, and are neither traced nor reported of. */
export { acquaintances } from "./acquaintances.js"
export { calmTracing } from "./calm-tracing.js"
export { follow } from "./follow.js"
export { keeping, resumed } from "./kept.js"
export { levelRefused, sparing } from "./unasked.js"
