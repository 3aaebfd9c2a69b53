/** What few servers need: most declare nothing beside their items, end their sessions with the process, and are not traced. */
export { calmTracing } from "./calm-tracing.js"
export { follow } from "./follow.js"
export { keeping, resumed } from "./kept.js"
export { levelRefused, sparing } from "./unasked.js"
