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

export async function asking(
  options?: GiftGeniusOptions,
  more: Pick<ConnectOptions, "revisions"> = {}
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
  return { client, told }
}
