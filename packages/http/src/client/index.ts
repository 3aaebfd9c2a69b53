/** The client side. */
export { http } from "./http.js"
export type { Fetch, HeadersOption, HttpClientOptions, Reconnect } from "./options.js"
