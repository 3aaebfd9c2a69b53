/** Tools are called with what their schemas allow and with what they do not, and those that break their word are named. */
import { assertTools } from "@parley/testing"
import { handshakeRevisions, perRequestRevisions, v2025_06_18, v2024_11_05 } from "@parley/core/revisions"
import type { AnyTool, Item, ServerOptions } from "@parley/server"
import { AskDeclined, defineServer, failed, form, live, pageRequired, roots, sample, tool } from "@parley/server"
import { describe, expect, it } from "vitest"

const input = {
  type: "object",
  properties: {
    count: { type: "integer", minimum: 1, maximum: 9 },
    name: { type: "string", minLength: 2 },
    tags: { type: "array", items: { type: "string" }, minItems: 1 },
    kind: { enum: ["a", "b"] }
  },
  required: ["count"]
} as const

const options = { runs: 60, seed: 1, timeoutMs: 500 }
const told = (assertion: Promise<void>): Promise<string> =>
  assertion.then(
    () => "nothing was found",
    (error: Error) => error.message
  )
const server = (items: ReadonlyArray<Item>, declared: ServerOptions<{}> = {}) =>
  defineServer({ name: "s", version: "1" }, items, declared)
const found = (one: AnyTool, rest: object = {}): Promise<string> =>
  told(assertTools(server([one]), { ...options, ...rest }))

describe("a tool that keeps its word", () => {
  it("is called with arguments that it takes and with others, and nothing is found", async () => {
    const seen: Array<number> = []
    const whole = tool(
      "whole",
      { input, output: { type: "object", properties: { n: { type: "number" } } } },
      ({ count }) => {
        seen.push(count)
        return { n: count }
      }
    )
    expect(await found(whole)).toBe("nothing was found")
    expect(seen.every((count) => Number.isInteger(count) && count >= 1 && count <= 9)).toBe(true)
    expect(seen.length).toBeGreaterThan(20)
    expect(seen.length).toBeLessThan(60)
  })

  it("may say that something went wrong", async () => {
    expect(await found(tool("no", {}, () => failed("not today")))).toBe("nothing was found")
  })

  it("may ask, and is answered, declined or cancelled", async () => {
    let asked = 0
    const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
    const asking = tool("asking", { asks: { guests, where: roots() } }, async (_, call) => {
      const answers = await call.askAll({ guests: { message: "How many?" }, where: undefined })
      asked++
      return String(answers.guests.guests)
    })
    expect(await found(asking)).toBe("nothing was found")
    expect(asked).toBeGreaterThan(0)
  })

  it("is called in the newest revision of each kind that its server speaks", async () => {
    const seen = new Set<string>()
    const runs = new Map<string, number>()
    const guests = form({ type: "object", properties: { guests: { type: "integer" } }, required: ["guests"] })
    const asking = tool("asking", { asks: { guests, where: roots(), said: sample() } }, async (_, call) => {
      const { revision } = call.peer
      runs.set(revision, (runs.get(revision) ?? 0) + 1)
      await call.ask("where")
      await call.ask("guests", { message: "How many?" })
      seen.add(revision)
      return "fine"
    })
    expect(await found(asking)).toBe("nothing was found")
    expect([...seen].toSorted()).toEqual(["2025-11-25", "2026-07-28"])
    expect(runs.get("2026-07-28")).toBeGreaterThan(60)
    const only = await told(assertTools(server([asking], { revisions: perRequestRevisions }), options))
    expect(only).toBe("nothing was found")
  })

  it("is left out when it is not among those that may run", async () => {
    const harmful = tool("harmful", {}, () => {
      throw new Error("it ran")
    })
    const other = tool("other", {}, () => "")
    expect(await told(assertTools(server([harmful, other]), { ...options, only: ["other"] }))).toBe("nothing was found")
    expect(await found(harmful, { only: ["othre"] })).toBe("There is no tool othre")
  })

  it("may return something else than an object", async () => {
    const output = { type: "array", items: { type: "number" } } as const
    expect(await found(tool("list", { output }, () => [1, 2]))).toBe("nothing was found")
  })

  it("may send its user to a page first", async () => {
    const page = { message: "Allow access", url: "https://example.com/allow", elicitationId: "1" }
    expect(
      await found(
        tool("files", {}, () => {
          throw pageRequired(page)
        })
      )
    ).toBe("nothing was found")
  })

  it("may be a task, always or when its caller wishes", async () => {
    const runs: Array<number> = []
    const handler = ({ count }: { readonly count: number }) => {
      runs.push(count)
      return "done"
    }
    expect(await found(tool("always", { input, task: "required" }, handler))).toBe("nothing was found")
    expect(runs.length).toBeGreaterThan(20)
    expect(await found(tool("sometimes", { input, task: "optional" }, handler))).toBe("nothing was found")
  })

  it("may ask again until the answer suits it, for some answers end that", async () => {
    const word = form({ type: "object", properties: { word: { type: "string" } }, required: ["word"] })
    const polite = tool("polite", { asks: { word } }, async (_, call) => {
      for (;;) if ((await call.ask("word", { message: "Say please" })).word === "please") return "Thanks"
    })
    expect(await found(polite)).toBe("nothing was found")
  })

  it("is held to what its revision has", async () => {
    const whole = tool(
      "whole",
      { input, output: { type: "object", properties: { n: { type: "number" } }, required: ["n"] } },
      ({ count }) => ({ n: count })
    )
    for (const revision of [v2025_06_18, v2024_11_05])
      for (const unsupported of ["offer", "refuse"] as const)
        expect(await told(assertTools(server([whole], { revisions: [revision], unsupported }), options))).toBe(
          "nothing was found"
        )
  })

  it("is called on a live server as it is now", async () => {
    const changing = live(defineServer({ name: "s", version: "1" }, [], { declare: { tools: { listChanged: true } } }))
    let calls = 0
    await changing.set([tool("late", {}, () => String(++calls))])
    expect(await told(assertTools(changing, options))).toBe("nothing was found")
    expect(calls).toBeGreaterThan(20)
  })
})

describe("a tool that does not", () => {
  it("because it throws is shown with the shortest arguments", async () => {
    const text = await found(
      tool("throws", { input }, ({ count }) => {
        if (count > 3) throw new Error("boom")
        return "fine"
      })
    )
    expect(text).toMatch("The tool throws does not keep its word: its handler failed: boom")
    expect(text).toMatch('throws({"count":4})')
    expect(text).toMatch("See it again with { seed: 1 }.")
  })

  it("because its result does not fit its output schema is found", async () => {
    const output = { type: "object", properties: { n: { type: "number" } }, required: ["n"] } as const
    expect(await found(tool("odd", { input, output }, () => ({}) as never))).toMatch("does not fit its output schema")
  })

  it("because it never ends is found", async () => {
    const text = await found(
      tool("endless", {}, () => new Promise<string>(() => {})),
      { runs: 1, timeoutMs: 20 }
    )
    expect(text).toMatch("it did not end within 20 ms")
  })

  it("because nothing fits its schema is told", async () => {
    const impossible = tool(
      "impossible",
      { input: { type: "object", properties: { a: { type: "string", pattern: "^zq{7}$" } }, required: ["a"] } },
      () => ""
    )
    expect(await found(impossible)).toMatch("No arguments were found that the tool impossible accepts")
  })

  it("because it never takes no for an answer is found, with what it asks", async () => {
    const word = form({ type: "object", properties: { word: { type: "string" } }, required: ["word"] })
    const stubborn = tool("stubborn", { asks: { word, model: sample() } }, async (_, call) => {
      for (;;)
        try {
          await call.ask("word", { message: "Say please" })
        } catch (error) {
          if (!(error instanceof AskDeclined)) throw error
        }
    })
    expect(await found(stubborn, { questions: 5 })).toMatch(
      'it asked 11 times in one call, and went on when it was declined: word ("Say please")'
    )
  })

  it("because it fails as a task is found, and shown as one", async () => {
    const throws = tool("throws", { input, task: "required" }, ({ count }) => {
      if (count > 3) throw new Error("boom")
      return "fine"
    })
    const text = await told(assertTools(server([throws], { revisions: handshakeRevisions }), options))
    expect(text).toMatch("its handler failed: boom")
    expect(text).toMatch('throws({"count":4}) as a task')
  })
})

describe("what would take too long", () => {
  const slow = tool(
    "slow",
    {},
    (_, call) =>
      new Promise<string>((resolve) => {
        const timer = setTimeout(() => resolve("done"), 20)
        call.signal.addEventListener("abort", () => clearTimeout(timer))
      })
  )
  const endless = tool("endless", {}, () => new Promise<string>(() => {}))

  it("is told when its time is over", async () => {
    expect(await found(slow, { timeLimitMs: 60 })).toMatch(
      /^Only [0-3] of 60 calls of the tool slow could be had within 60 ms/
    )
    expect(await found(endless, { timeLimitMs: 60 })).toMatch("Only 0 of 60 calls")
  })

  it("is not tried again and again to make the arguments shorter", async () => {
    const begun = Date.now()
    expect(await found(endless, { timeoutMs: 100 })).toMatch("it did not end within 100 ms")
    expect(Date.now() - begun).toBeLessThan(1_000)
  })

  it("can be stopped by a signal, before it began and later", async () => {
    const reason = new Error("the test was stopped")
    expect(await found(endless, { signal: AbortSignal.abort(reason) })).toBe("the test was stopped")
    const stopping = new AbortController()
    let interrupted = false
    const waiting = tool("waiting", {}, (_, call) => {
      call.signal.addEventListener("abort", () => (interrupted = true))
      stopping.abort(reason)
      return new Promise<string>(() => {})
    })
    expect(await found(waiting, { signal: stopping.signal })).toBe("the test was stopped")
    expect(interrupted).toBe(true)
  })

  it("gives way to timers, however quick the tools are", async () => {
    let fired = false
    const timer = setTimeout(() => (fired = true), 30)
    const quick = tool("quick", {}, () => {
      const until = Date.now() + 1
      while (Date.now() < until);
      return ""
    })
    expect(await found(quick)).toBe("nothing was found")
    clearTimeout(timer)
    expect(fired).toBe(true)
  })
})
