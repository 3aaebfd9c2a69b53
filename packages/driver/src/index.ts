/** Runs a machine over a channel. */
export * from "./channel.js"
export * from "./clock.js"
export * from "./drive.js"
export * from "./link.js"
export * from "./seal.js"
export * from "./tap.js"
export { tooManyValues } from "./weight.js"
