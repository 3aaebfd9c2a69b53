/** A client of gift-genius in one process, which notes what it is told. */
import type { Client, ConnectOptions } from "@parley/client"
import { connect } from "@parley/client"
import { link } from "@parley/driver"
import { serve } from "@parley/server"
import type { GiftGeniusOptions } from "../src/server.js"
import { giftGenius } from "../src/server.js"

export interface Asking {
  readonly client: Client
  /** Notifications by their method, and of the log its level and data. */
  readonly told: Array<unknown>
}

/** A revision of each kind, and the error by which it says that there is no such resource. */
export const eras = [
  ["2026-07-28", -32602],
  ["2025-11-25", -32002]
] as const

export async function asking(
  options?: GiftGeniusOptions,
  more: Pick<ConnectOptions, "revisions" | "prefer"> = {}
): Promise<Asking> {
  const [near, far] = link()
  serve(giftGenius(options), far)
  const told: Array<unknown> = []
  const client = await connect(near, {
    ...more,
    clientInfo: { name: "test", version: "1.0.0" },
    onNotification: (method, params) =>
      void told.push(method === "notifications/message" ? [params?.["level"], params?.["data"]] : method)
  })
  // 2026-07-28 server/utilities/logging: who does not say how much it wants is not told of anything.
  await client.setLogLevel("info")
  return { client, told }
}
