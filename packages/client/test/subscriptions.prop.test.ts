/** However readers come and go, the server is told what is wanted, alternately, and by the end nobody is subscribed. */
import { handshakeRevisions as revisions } from "@parley/core/revisions"
import fc from "fast-check"
import { expect, it } from "vitest"
import { connect } from "../src/index.js"
import type { Subscription } from "../src/index.js"
import { hand } from "./hand.js"

const move = fc.record({ what: fc.constantFrom("join", "leave", "answer", "refuse", "wait"), which: fc.nat(5) })

it("subscribes and unsubscribes in turn, each time only when the last was answered", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
      const open: Array<{ id: number; method: string }> = []
      const log: Array<string> = []
      const asked = (method: string) => (_: unknown, id: number) => {
        expect(open).toEqual([])
        log.push(method)
        open.push({ id, method })
        return undefined
      }
      const server = hand({
        capabilities: { resources: { subscribe: true } },
        answers: { "resources/subscribe": asked("subscribe"), "resources/unsubscribe": asked("unsubscribe") }
      })
      const client = await connect(server.channel, { clientInfo: { name: "c", version: "1" }, revisions })
      const readers: Array<Subscription> = []
      /** What the server holds: what it confirmed last. */
      let held = false
      const answer = (refuse: boolean) => {
        const { id, method } = open.shift() ?? {}
        if (id === undefined) return
        if (!refuse) held = method === "subscribe"
        server.send({ jsonrpc: "2.0", id, ...(refuse ? { error: { code: 1, message: "no" } } : { result: {} }) })
      }
      for (const { what, which } of moves) {
        if (what === "join") {
          const reader = client.subscribe("a:b")
          reader.ready.catch(() => undefined)
          readers.push(reader)
        }
        if (what === "leave") readers[which]?.close()
        // An unsubscribing that is refused is another matter: the client takes it for done.
        if (what === "answer" || (what === "refuse" && open[0]?.method === "unsubscribe")) answer(false)
        else if (what === "refuse") answer(true)
        if (what === "wait") await client.ping()
      }
      for (const reader of readers) reader.close()
      for (let i = 0; i < 4; i++) {
        await client.ping()
        answer(false)
      }
      await client.ping()
      expect(open).toEqual([])
      expect(held).toBe(false)
      for (let i = 1; i < log.length; i++) if (log[i] === "unsubscribe") expect(log[i - 1]).toBe("subscribe")
      await client.close()
    }),
    { numRuns: 200 }
  )
})
