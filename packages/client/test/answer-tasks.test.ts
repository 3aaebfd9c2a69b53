/** Questions that the server asks to be answered by tasks: it has a task at once, and comes for the answer later. */
import { describe, expect, it } from "vitest"
import type { Answers } from "../src/index.js"
import { Rejected } from "../src/index.js"
import { accepting, answering, form, page, slow } from "./asked.js"

const related = "io.modelcontextprotocol/related-task"
const sampling = { messages: [], maxTokens: 1 }
const model = { role: "assistant", model: "m", content: { type: "text", text: "42" } } as const

describe("a question that is to be a task", () => {
  it("is answered by one at once, put to the user, and its answer waited for", async () => {
    const { start, about, answers, told, asked } = await slow({ pollMs: 50 })
    const task = await start({ task: { ttl: 60_000 } })
    expect(task).toEqual({
      taskId: expect.stringMatching(/^\d+(-\d+){3}$/),
      status: "working",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUpdatedAt: task.createdAt,
      ttl: 60_000,
      pollInterval: 50
    })
    expect(await about("tasks/get", task.taskId)).toEqual(task)
    expect(asked).toHaveLength(1)
    const results = [about("tasks/result", task.taskId), about("tasks/result", task.taskId)]
    answers[0]!({ action: "accept", content: { n: 4 } })
    const result = { action: "accept", content: { n: 4 }, _meta: { [related]: { taskId: task.taskId } } }
    expect(await Promise.all(results)).toEqual([result, result])
    const over = { ...task, status: "completed", lastUpdatedAt: expect.any(String) }
    expect(await about("tasks/get", task.taskId)).toEqual(over)
    expect(told()).toEqual([over])
    expect(await about("tasks/result", task.taskId)).toEqual(result)
  })

  it.each([
    ["elicitation/create", form({}), { action: "accept", content: {} }],
    ["elicitation/create", page, { action: "accept" }],
    ["sampling/createMessage", sampling, model]
  ] as const)("is any of them: %s", async (method, params, answer) => {
    const { ask, server } = await answering({
      elicit: { form: accepting({}), url: () => ({ action: "accept" }) },
      sample: () => model,
      tasks: true
    })
    const { taskId } = (await ask(method, { ...params, task: {} })).result.task
    expect((await ask("tasks/result", { taskId })).result).toEqual({ ...answer, _meta: { [related]: { taskId } } })
    // The task is told of before it is over, however fast the answer is.
    const [first, second] = server.heard.filter(
      ({ result, method }) => result?.task !== undefined || method === "notifications/tasks/status"
    )
    expect([first.result.task.status, second.params.status]).toEqual(["working", "completed"])
  })

  it("is a question like any other where tasks were not declared, or are not known", async () => {
    const plain = await answering({ elicit: accepting({}) })
    expect((await plain.ask("elicitation/create", { ...form({}), task: {} })).result).toMatchObject({
      action: "accept"
    })
    expect(await plain.ask("tasks/get", { taskId: "t" })).toMatchObject({ error: { code: -32601 } })
    const older = await answering({ elicit: accepting({}), tasks: true }, "2025-06-18")
    expect((await older.ask("elicitation/create", { ...form({}), task: {} })).result).toMatchObject({
      action: "accept"
    })
    const roots = await answering({ roots: [], elicit: accepting({}), tasks: true })
    expect((await roots.ask("roots/list", { task: {} })).result).toEqual({ roots: [] })
  })

  it("that is no good is refused before there is a task", async () => {
    const { ask, start } = await slow()
    expect(await ask("elicitation/create", { ...page, task: {} })).toMatchObject({ error: { code: -32602 } })
    expect(await ask("elicitation/create", { ...form({}), task: { ttl: "1" } })).toMatchObject({
      error: { code: -32602 }
    })
    await start()
    expect((await ask("tasks/list")).result.tasks).toHaveLength(1)
  })
})

describe("an answer that is none", () => {
  it.each<[string, Answers["sample"], object, string | undefined]>([
    [
      "a bug",
      () => Promise.reject(new Error("secret")),
      { code: -32603, message: "Internal error: sampling/createMessage could not be answered" },
      "the handler failed: secret"
    ],
    ["a no", () => Promise.reject(new Rejected()), { code: -1, message: "User rejected the request" }, undefined],
    [
      "of the wrong kind",
      () => ({ role: "assistant" }) as never,
      { code: -32603, message: "Internal error: sampling/createMessage could not be answered" },
      "the answer is not valid at content: expected an array or an object"
    ]
  ])("fails the task, and is its error: %s", async (_, sample, error, why) => {
    const { ask, unsendable } = await answering({ sample: sample!, tasks: true })
    const { taskId } = (await ask("sampling/createMessage", { ...sampling, task: {} })).result.task
    expect((await ask("tasks/result", { taskId })).error).toEqual(error)
    expect((await ask("tasks/get", { taskId })).result).toMatchObject({
      status: "failed",
      statusMessage: (error as { message: string }).message
    })
    expect(unsendable()).toHaveLength(why === undefined ? 0 : 1)
    if (why !== undefined) expect(unsendable()).toEqual([why])
  })

  it("comes of a form that was declined: then the task is completed", async () => {
    const { start, about, answers } = await slow()
    const { taskId } = await start()
    await about("tasks/get", taskId)
    answers[0]!({ action: "decline" })
    expect(await about("tasks/result", taskId)).toMatchObject({ action: "decline" })
    expect(await about("tasks/get", taskId)).toMatchObject({ status: "completed" })
  })

  it("comes of a question that nobody answers in time", async () => {
    const { start, about, clock, asked } = await slow(true, { timeoutMs: 1_000 })
    const { taskId } = await start()
    await about("tasks/get", taskId)
    clock.advance(1_000)
    expect(await about("tasks/result", taskId)).toEqual({
      code: -32603,
      message: "Internal error: not answered within 1000 ms"
    })
    expect(asked[0]!.signal.aborted).toBe(true)
  })
})
