/** Order and back-pressure of the driver, against simple models. */
import type { Machine } from "@parley/core"
import fc from "fast-check"
import { expect, it } from "vitest"
import type { Closed } from "../src/channel.js"
import type { Common, Told } from "../src/drive.js"
import { drive } from "../src/drive.js"
import { byHand, text } from "./by-hand.js"

/** A thing to do: its name, and what doing it feeds back at once. */
interface Task {
  readonly name: string
  readonly feeds: ReadonlyArray<Task>
}

const { task } = fc.letrec<{ task: Task }>((tie) => ({
  task: fc.record({
    name: fc.string({ maxLength: 3 }),
    feeds: fc.oneof({ maxDepth: 4 }, fc.constant([]), fc.array(tie("task"), { maxLength: 3 }))
  })
}))

type Input =
  | Told<never>
  | { readonly _tag: "Fed"; readonly tasks: ReadonlyArray<Task> }
  | { readonly _tag: "Over"; readonly why: Closed }
type Output = Common<never> | { readonly _tag: "Do"; readonly task: Task }

const machine: Machine<number, Input, Output> = {
  initial: 0,
  step: (state, input) => [
    state + 1,
    input._tag === "Fed" ? input.tasks.map((task) => ({ _tag: "Do", task }) as const) : []
  ],
  encode: (state) => state,
  decode: () => ({ ok: false, error: "malformed" }) as never
}

/** Breadth first: all that one step asks for, then what was fed meanwhile, oldest first. */
function expected(tasks: ReadonlyArray<Task>): Array<string> {
  const queue = [tasks]
  const names: Array<string> = []
  for (const step of queue)
    for (const { name, feeds } of step) {
      names.push(name)
      if (feeds.length > 0) queue.push(feeds)
    }
  return names
}

it("steps what is fed while outputs are performed after them, oldest first, and loses nothing", () => {
  fc.assert(
    fc.property(fc.array(task, { maxLength: 5 }), (tasks) => {
      const done: Array<string> = []
      const driver = drive<number, Input, Output, never>({
        machine,
        channel: byHand(),
        perform: (output) => {
          const { name, feeds } = output.task
          done.push(name)
          if (feeds.length > 0) driver.feed({ _tag: "Fed", tasks: feeds })
        },
        ended: (why) => ({ _tag: "Over", why })
      })
      driver.feed({ _tag: "Fed", tasks })
      expect(done).toEqual(expected(tasks))
    })
  )
})

it("keeps a frame waiting exactly while the last promise of a full channel is pending", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 30 }), async (moves) => {
      const channel = byHand()
      const driver = drive<number, Input, Output, never>({
        machine: {
          ...machine,
          step: (state) => [
            state,
            [{ _tag: "Send", message: { jsonrpc: "2.0", method: "m" }, via: "a", last: false, text: undefined }]
          ]
        },
        channel,
        perform: () => {},
        ended: (why) => ({ _tag: "Over", why })
      })
      let free: (() => void) | undefined
      for (const full of moves) {
        if (full && channel.room === undefined) channel.room = new Promise<void>((resolve) => (free = resolve))
        if (!full && channel.room !== undefined) {
          const { room } = channel
          channel.room = undefined
          free?.()
          await room
        }
        driver.feed({ _tag: "Fed", tasks: [] })
        expect(channel.on.frame(text(1))).toBe(channel.room)
      }
    })
  )
})
