/** For those who live in Effect: handlers that are Effects with services of their own, a server as a layer. */
export type { AskDeclined, AskFailed, Call } from "./call.js"
export { refused, Refused } from "./failure.js"
export type { Failure } from "./failure.js"
export { prompt, resource, resourceTemplate, tool } from "./items.js"
export type { Handler, Value } from "./items.js"
export { defineServer, layer, serve, Serving } from "./serve.js"
export type { Making } from "./serve.js"
