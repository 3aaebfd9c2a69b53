/** Whatever a server says of a task, told or asked: a reader hears each change once, in its order, and one end at most. */
import type { Task } from "@parley/core"
import fc from "fast-check"
import { expect, it } from "vitest"
import { tasked, working } from "./tasked.js"

const status = fc.constantFrom("working", "input_required", "completed", "failed", "cancelled", "paused")
const move = fc.oneof(
  { weight: 4, arbitrary: fc.record({ what: fc.constantFrom("tell", "become"), status, message: fc.nat(2) }) },
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom("wait", "ask", "nothing") }) },
  { weight: 1, arbitrary: fc.record({ what: fc.constant("another"), status }) }
)

const over = ["completed", "failed", "cancelled"]
const brief = ({ status, statusMessage }: Partial<Task>) => `${status} ${statusMessage}`

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

it("reads what was heard, without repeats, up to the end", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(move, { maxLength: 40 }), async (moves) => {
      const { client, server, clock } = await tasked()
      let now: object = working
      /** What reached the client, as it came. */
      const heard: Array<string> = [brief(working as Task)]
      const hear = (task: object): void => {
        const { status } = task as Task
        const known = status !== ("paused" as never) && !over.includes(heard.at(-1)!.split(" ")[0]!)
        if (known && heard.at(-1) !== brief(task)) heard.push(brief(task))
      }
      server.answers["tasks/get"] = () => (hear(now), now)
      const task = await client.startTool("may")
      const read: Array<string> = []
      let failed: unknown
      const reading = (async () => {
        for await (const one of task.updates()) read.push(brief(one))
      })().catch((error: unknown) => (failed = error))
      // From here on what is told is heard.
      await client.ping()
      for (const one of moves) {
        const said = { ...working, ...("status" in one && { status: one.status }) }
        const worded = "message" in one ? { ...said, statusMessage: `${one.message}` } : said
        if (one.what === "become") now = worded
        if (one.what === "tell" && failed === undefined) {
          hear(worded)
          server.tell("notifications/tasks/status", worded)
        }
        if (one.what === "another") server.tell("notifications/tasks/status", { ...said, taskId: "other" })
        if (one.what === "wait") clock.advance(1_000)
        if (one.what === "ask") await task.status().catch(() => undefined)
        await client.ping()
      }
      await turn()
      const ends = read.filter((one) => over.includes(one.split(" ")[0]!))
      expect(read).toEqual(heard.slice(0, read.length))
      // Whoever has left hears no more of it.
      if (failed === undefined) expect([read, brief(task.task!)]).toEqual([heard, heard.at(-1)])
      expect(ends.length).toBeLessThanOrEqual(1)
      if (ends.length === 1) expect(read.at(-1)).toBe(ends[0])
      await client.close()
      await reading
      await turn()
      expect(clock.pending()).toBe(0)
    }),
    { numRuns: 200 }
  )
})
