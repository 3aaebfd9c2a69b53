/** Handlers that fail, arguments that do not fit, and schemas that misbehave. */
import { format } from "node:util"
import { describe, expect, it, vi } from "vitest"
import { defineServer, failed, tool } from "../src/index.js"
import { thrown } from "./hostile.js"
import { talk, talking } from "./talk.js"
import { thenable, unreadable } from "./thenable.js"

const info = { name: "runs", version: "1.0.0" }
const text = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const
const isError = (said: string) => ({ content: [{ type: "text", text: said }], isError: true })

describe("a handler that throws", () => {
  it.each([
    ["an Error", () => new Error("secret")],
    ["a string", () => "secret"],
    ["nothing", () => undefined],
    ["an object without a prototype", () => Object.create(null) as unknown]
  ])("tells the client nothing and the server everything when it throws %s", async (_, make) => {
    const thrown = make()
    const now = tool("now", {}, () => {
      throw thrown
    })
    const later = tool("later", {}, () => Promise.reject(thrown))
    const { call, crashes, ask } = await talking(defineServer(info, [now, later]))
    expect(await call("now")).toEqual(isError("The tool now failed."))
    expect(await call("later")).toEqual(isError("The tool later failed."))
    expect(crashes).toEqual([
      ["now", thrown],
      ["later", thrown]
    ])
    expect(await ask("ping")).toMatchObject({ result: {} })
  })

  it("tells the model what it says with failed, thrown now or later", async () => {
    const now = tool("now", {}, () => {
      throw failed("no such day")
    })
    const later = tool("later", {}, async () => {
      await Promise.resolve()
      throw failed("no such day")
    })
    const { call, crashes } = await talking(defineServer(info, [now, later]))
    expect(await call("now")).toEqual(isError("no such day"))
    expect(await call("later")).toEqual(isError("no such day"))
    expect(crashes).toEqual([])
  })

  it("goes to console.error when nobody else is told", async () => {
    const told = vi.spyOn(console, "error").mockImplementation(() => {})
    const error = new Error("secret")
    const broken = tool("broken", {}, () => {
      throw error
    })
    const { call } = await talking(defineServer(info, [broken]), { crashed: undefined as never })
    await call("broken")
    expect(told).toHaveBeenCalledExactlyOnceWith("The handler of broken failed:", error)
    told.mockRestore()
  })

  it("is answered even when whoever is told throws as well", async () => {
    const said = vi.spyOn(console, "error").mockImplementation(() => {})
    const broken = tool("broken", {}, () => Promise.reject(new Error("first")))
    const { call, ask } = await talking(defineServer(info, [broken]), {
      crashed: () => {
        throw new Error("second")
      }
    })
    expect(await call("broken")).toEqual(isError("The tool broken failed."))
    expect(await ask("ping")).toMatchObject({ result: {} })
    expect(said).toHaveBeenCalledExactlyOnceWith("A listener failed: second")
    said.mockRestore()
  })

  it.each(thrown)("is answered and shown as well as can be when it throws %s", async (_, odd) => {
    const told: Array<unknown> = []
    const said = vi.spyOn(console, "error").mockImplementation((...words: ReadonlyArray<unknown>) => {
      // Only the words are kept: looking at the rest could throw.
      told.push(words[0])
      format(...words)
    })
    const now = tool("now", {}, () => {
      throw odd
    })
    const later = tool("later", {}, () => Promise.reject(odd))
    const { call, ask } = await talking(defineServer(info, [now, later]), { crashed: undefined as never })
    expect(await call("now")).toEqual(isError("The tool now failed."))
    expect(await call("later")).toEqual(isError("The tool later failed."))
    expect(await ask("ping")).toMatchObject({ result: {} })
    expect(told).toEqual(expect.arrayContaining(["The handler of now failed:", "The handler of later failed:"]))
    said.mockRestore()
  })

  it("is a failure like any other when what it says with failed can not be read", async () => {
    const odd = new Proxy(failed("secret"), {
      get: () => {
        throw new Error("no")
      }
    })
    const now = tool("now", {}, () => {
      throw odd
    })
    const later = tool("later", {}, () => Promise.reject(odd))
    const returned = tool("returned", {}, () => odd)
    const { call, crashes } = await talking(defineServer(info, [now, later, returned]))
    for (const name of ["now", "later", "returned"])
      expect(await call(name)).toEqual(isError(`The tool ${name} failed.`))
    expect(crashes).toHaveLength(3)
  })

  it("may throw from a getter named then", async () => {
    const get = (): never => {
      throw new Error("secret")
    }
    const odd = tool("odd", {}, () => unreadable(get))
    const { call, crashes } = await talking(defineServer(info, [odd]))
    expect(await call("odd")).toEqual(isError("The tool odd failed."))
    expect(crashes).toHaveLength(1)
  })
})

describe("a thenable that is no promise", () => {
  it.each([
    ["settles twice", (resolve: (text: string) => void) => (resolve("once"), resolve("twice")), "once"],
    [
      "settles and then throws",
      (resolve: (text: string) => void) => {
        resolve("once")
        throw new Error("late")
      },
      "once"
    ]
  ])("is answered once when it %s", async (_, then, said) => {
    const { call, crashes, ask, heard } = await talking(defineServer(info, [tool("odd", {}, () => thenable(then))]))
    expect(await call("odd")).toEqual({ content: [{ type: "text", text: said }] })
    await ask("ping")
    expect(heard).toHaveLength(3)
    expect(crashes).toEqual([])
  })

  it("is a failure when it throws at once", async () => {
    const then = (): never => {
      throw new Error("secret")
    }
    const { call, crashes } = await talking(defineServer(info, [tool("odd", {}, () => thenable(then))]))
    expect(await call("odd")).toEqual(isError("The tool odd failed."))
    expect(crashes).toEqual([["odd", new Error("secret")]])
  })
})

describe("arguments that do not fit", () => {
  it.each(["2024-11-05", "2025-03-26", "2025-06-18"])("are refused with -32602 in %s", async (revision) => {
    const handler = vi.fn<() => string>(() => "ran")
    const { call } = await talking(defineServer(info, [tool("echo", { input: text }, handler)]), {}, revision)
    expect(await call("echo", { text: 1 })).toEqual({
      code: -32602,
      message: "Invalid arguments for tool echo: text: expected a string"
    })
    expect(await call("echo")).toMatchObject({ code: -32602 })
    expect(handler).not.toHaveBeenCalled()
  })

  it("are an isError result in 2025-11-25", async () => {
    const handler = vi.fn<() => string>(() => "ran")
    const { call } = await talking(defineServer(info, [tool("echo", { input: text }, handler)]))
    expect(await call("echo", { text: 1 })).toEqual(isError("Invalid arguments for tool echo: text: expected a string"))
    expect(handler).not.toHaveBeenCalled()
  })

  it("leave prototypes alone when they are hostile", async () => {
    let seen: unknown
    const input = { type: "object", properties: { text: { type: "string" } } } as const
    const keep = tool("keep", { input }, (args) => {
      seen = args
      return "kept"
    })
    const { send, until } = await talking(defineServer(info, [keep]))
    const hostile = JSON.parse(
      '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
    ) as object
    send({ jsonrpc: "2.0", id: "h", method: "tools/call", params: { name: "keep", arguments: hostile } })
    expect(await until(({ id }) => id === "h")).toMatchObject({ result: { content: [{ text: "kept" }] } })
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
    expect(Object.getPrototypeOf(seen)).toBe(Object.prototype)
  })

  it.each(["__proto__", "constructor", "toString", "hasOwnProperty"])(
    "is an unknown tool when it is called %s",
    async (name) => {
      const { call } = await talking(defineServer(info, [tool("it", {}, () => "x")]))
      expect(await call(name)).toMatchObject({ code: -32602, message: `Unknown tool: ${name}` })
    }
  )

  it("may be those of a tool that is called __proto__", async () => {
    const { call, ask } = await talking(defineServer(info, [tool("__proto__", {}, () => "mine")]))
    expect(await call("__proto__")).toEqual({ content: [{ type: "text", text: "mine" }] })
    expect((await ask("tools/list")).result.tools).toEqual([{ name: "__proto__", inputSchema: { type: "object" } }])
  })
})

it("tells a client that sends early nothing of tools it may not call yet", async () => {
  const handler = vi.fn<() => string>(() => "ran")
  const { ask, crashes } = talk(defineServer(info, [tool("it", {}, handler)]))
  expect(await ask("tools/call", { name: "it" })).toMatchObject({ error: { code: -32600 } })
  expect(handler).not.toHaveBeenCalled()
  expect(crashes).toEqual([])
})
