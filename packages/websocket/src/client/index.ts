/** The client side. */
export { webSocket } from "./web-socket.js"
export type { Reconnect, WebSocketOptions } from "./options.js"
