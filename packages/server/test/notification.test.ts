/** What a client tells on its own reaches the user's code, where it was declared. */
import { expect, it } from "vitest"
import type { ClientNotification } from "../src/index.js"
import { defineServer } from "../src/index.js"
import { talking } from "./talk.js"

async function told(capabilities: object) {
  const notifications: Array<ClientNotification> = []
  const talk = await talking(
    defineServer({ name: "told", version: "1.0.0" }, []),
    { onNotification: (one) => void notifications.push(one) },
    undefined,
    capabilities
  )
  talk.tell("notifications/roots/list_changed", { _meta: { a: 1 } })
  talk.tell("notifications/other")
  await talk.ask("ping")
  return notifications
}

it("its roots changed", async () => {
  expect(await told({ roots: { listChanged: true } })).toEqual([
    {
      method: "notifications/roots/list_changed",
      params: { _meta: { a: 1 } },
      peer: expect.objectContaining({ revision: "2025-11-25", info: { name: "hand", version: "1.0.0" } })
    }
  ])
})

it("nothing that it did not declare", async () => {
  expect(await told({ roots: {} })).toEqual([])
})
