/** Tasks of a served tool keep their word in conversations drawn at random: whoever asks for a result gets it when there is one. */
import type { Json, JsonObject } from "@parley/core"
import { link } from "@parley/driver"
import { defineServer, roots, serve, tool } from "@parley/server"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { own } from "../src/envelope.js"

/** What a handler does, step by step. `wait`: until the test lets it go on. */
type Deed = "wait" | "ask" | "progress" | "done" | "fail" | "boom"
type Move = readonly [
  what: "create" | "go on" | "get" | "result" | "cancel" | "answer" | "lose interest",
  which: number
]

const scripts: ReadonlyArray<ReadonlyArray<Deed>> = [
  ["wait", "done"],
  ["ask", "done"],
  ["ask", "wait", "ask", "done"],
  ["wait", "ask", "fail"],
  ["progress", "wait", "progress", "done"],
  ["progress", "ask", "progress", "boom"],
  ["fail"]
]
const steps = [0, 5, Number.NaN, 1, 2, 5, 7]
const ended = ["completed", "failed", "cancelled"]

class Conversation {
  readonly #near = link()
  readonly #serving
  readonly #going: Array<() => void> = []
  #ids = 0
  #created = 0
  readonly tasks: Array<string> = []
  readonly status = new Map<string, JsonObject>()
  /** Requests by id: what was asked of which task, and what came. */
  readonly asked = new Map<
    number,
    { readonly method: string; readonly task: string; reply?: JsonObject; lost?: true }
  >()
  /** Questions by id: of which task, and how they ended. */
  readonly questions = new Map<number, { readonly task: string; over?: "answered" | "withdrawn" }>()
  readonly progress = new Map<Json, Array<number>>()
  readonly wrong: Array<string> = []

  constructor() {
    const work = tool("work", { input, task: "required", asks: { where: roots() } }, async ({ script }, call) => {
      for (const deed of scripts[script]!)
        switch (deed) {
          case "wait":
            await new Promise<void>((resolve) => void this.#going.push(resolve))
            break
          case "ask":
            await call.ask("where")
            break
          case "progress":
            for (const step of steps) call.progress(step)
            break
          case "fail":
            return { content: [{ type: "text", text: "not today" }], isError: true }
          case "boom":
            throw new Error("boom")
          case "done":
            break
        }
      return "done"
    })
    const [near, far] = this.#near
    this.#serving = serve(defineServer({ name: "s", version: "1" }, [work]), far, {
      crashed: () => undefined,
      drainMs: 0
    })
    near.open({
      frame: (frame) => void (frame._tag === "Text" && this.#heard(JSON.parse(frame.text) as JsonObject)),
      closed: () => undefined
    })
  }

  async open(): Promise<void> {
    const clientInfo = { name: "c", version: "1" }
    this.#send({
      id: "h",
      method: "initialize",
      params: { protocolVersion: "2025-11-25", capabilities: { roots: {} }, clientInfo }
    })
    this.#send({ method: "notifications/initialized" })
    await settled()
  }

  async close(): Promise<void> {
    await this.#near[0].close()
    await this.#serving.closed
  }

  async make([what, which]: Move): Promise<void> {
    const task = this.tasks[which % Math.max(1, this.tasks.length)]
    if (what === "create") this.#create(which % scripts.length)
    else if (what === "go on") this.#going.splice(which % Math.max(1, this.#going.length), 1)[0]?.()
    else if (what === "answer") this.#answer(which)
    else if (what === "lose interest") this.#loseInterest(which)
    else if (task !== undefined) this.#ask(`tasks/${what}`, task, { taskId: task })
    // The part that serves tasks is loaded when the first is made.
    do await settled()
    while (this.#isCreating())
  }

  #isCreating(): boolean {
    return [...this.asked.values()].some(({ method, reply }) => method === "tools/call" && reply === undefined)
  }

  #create(script: number): void {
    const _meta = { progressToken: `t${++this.#created}` }
    this.#ask("tools/call", "", { name: "work", arguments: { script }, task: {}, _meta })
  }

  #answer(which: number): void {
    const open = [...this.questions].filter(([, { over }]) => over === undefined)
    const [id, question] = open[which % Math.max(1, open.length)] ?? []
    if (question === undefined) return
    question.over = "answered"
    this.#send({ id: id!, result: { roots: [] } })
  }

  #loseInterest(which: number): void {
    const open = this.waiting()
    const [id, request] = open[which % Math.max(1, open.length)] ?? []
    if (request === undefined) return
    request.lost = true
    this.#send({ method: "notifications/cancelled", params: { requestId: id! } })
  }

  #ask(method: string, task: string, params: JsonObject): void {
    this.asked.set(++this.#ids, { method, task })
    this.#send({ id: this.#ids, method, params })
  }

  waiting() {
    return [...this.asked].filter(
      ([, { method, reply, lost }]) => method === "tasks/result" && reply === undefined && lost === undefined
    )
  }

  #send(message: JsonObject): void {
    void this.#near[0].send({ message: { jsonrpc: "2.0", ...message } as never, via: undefined, last: false })
  }

  #heard(message: JsonObject): void {
    const { id, method, params } = message
    if (method === undefined) return this.#replied(id as number, message)
    const about = own(own(own(params, "_meta"), "io.modelcontextprotocol/related-task"), "taskId")
    if (id !== undefined) return void this.questions.set(id as number, { task: about as string })
    switch (String(method)) {
      case "notifications/cancelled": {
        const question = this.questions.get(own(params, "requestId") as number)
        if (question !== undefined) question.over ??= "withdrawn"
        return
      }
      case "notifications/tasks/status":
        return void this.status.set(own(params, "taskId") as string, params as JsonObject)
      case "notifications/progress": {
        const token = own(params, "progressToken") as Json
        this.progress.set(token, [...(this.progress.get(token) ?? []), own(params, "progress") as number])
      }
    }
  }

  #replied(id: number, message: JsonObject): void {
    const request = this.asked.get(id)
    if (request === undefined) return
    if (request.reply !== undefined) this.wrong.push(`${request.method} was answered twice`)
    if (request.lost === true) this.wrong.push(`${request.method} was answered after it had been cancelled`)
    request.reply = message
    const task = own(own(message["result"], "task"), "taskId")
    if (typeof task === "string") this.tasks.push(task)
  }

  /** What is wrong when nothing more is under way. */
  broken(): string | undefined {
    const statusOf = (task: string) => String(this.status.get(task)?.["status"] ?? "working")
    for (const [, { task }] of this.waiting())
      if (ended.includes(statusOf(task))) return `a task is ${statusOf(task)}, and its result was not given`
    for (const { task, over } of this.questions.values())
      if (over === undefined && ended.includes(statusOf(task)))
        return `a task is ${statusOf(task)}, and its question is still open`
    for (const { method, reply, task } of this.asked.values())
      if (method === "tasks/result" && reply !== undefined && !ended.includes(statusOf(task)))
        return `the result of a task that is ${statusOf(task)} was given`
    for (const told of this.progress.values())
      if (told.some((now, at) => !Number.isFinite(now) || (at > 0 && !(now > told[at - 1]!))))
        return `progress went ${told.join(", ")}`
    for (const task of this.status.values())
      if (task["status"] === "failed" && typeof task["statusMessage"] !== "string")
        return "a task failed, and does not say why"
    return this.wrong[0]
  }
}

const input = { type: "object", properties: { script: { type: "integer" } }, required: ["script"] } as const

/** Everything on a link and in handlers happens before the next turn but a few. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve))
}

const moves: fc.Arbitrary<ReadonlyArray<Move>> = fc.array(
  fc.tuple(
    fc.constantFrom(...(["create", "result", "go on", "answer", "cancel", "get", "lose interest", "result"] as const)),
    fc.nat(30)
  ),
  { maxLength: 25, size: "max" }
)

async function lived(all: ReadonlyArray<Move>): Promise<string | undefined> {
  const conversation = new Conversation()
  await conversation.open()
  try {
    for (const move of all) {
      await conversation.make(move)
      const broken = conversation.broken()
      if (broken !== undefined) return broken
    }
    return undefined
  } finally {
    await conversation.close()
  }
}

describe("tasks", () => {
  it("give their results when they end, take their questions back, and tell progress that increases", async () => {
    await fc.assert(
      fc.asyncProperty(moves, async (all) => {
        expect(await lived(all)).toBeUndefined()
      }),
      { numRuns: Number(process.env["PARLEY_RUNS"] ?? 100) }
    )
  })
})
