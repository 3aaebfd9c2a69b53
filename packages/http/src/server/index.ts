/** The server side on web standards. */
export { fetchHandler } from "./fetch.js"
export type { Open } from "./endpoint.js"
export type { FetchHandler, FetchOptions } from "./fetch.js"
export { memoryEvents } from "./event-memory.js"
export type { MemoryEvents, MemoryEventsOptions } from "./event-memory.js"
export type { EventId, EventStore, StoredEvent, StreamEvent } from "./event-store.js"
export type { Admitted, Asked, Authentication, Forbidden, HttpOptions, Unauthorized } from "./options.js"
export type { SessionStore, StoredSession } from "./store.js"
