/** The server side on web standards. */
export { acceptor, socketChannel } from "./acceptor.js"
export type { About, Acceptor, Admission } from "./acceptor.js"
export { bunHandlers } from "./bun.js"
export type { BunSocket } from "./bun.js"
export type { Admitted, Asked, Authentication, Forbidden, SocketOptions, Unauthorized } from "./options.js"
export type { SocketEvent, SocketLike } from "../line/web-line.js"
