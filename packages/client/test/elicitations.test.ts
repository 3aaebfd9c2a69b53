/** Pages that the server asks to be visited: shown whole, fetched by nobody, complete when it says so. */
import { describe, expect, it, vi } from "vitest"
import type { AnswerPage } from "../src/index.js"
import { answering, page } from "./asked.js"

describe("a page to visit", () => {
  it("is shown whole, with its host, and fetched by nobody", async () => {
    const fetched = vi.spyOn(globalThis, "fetch")
    const seen: Array<unknown> = []
    const url = "https://xn--pple-43d.example:8443/pay?for=1#now"
    const { ask } = await answering({
      elicit: { url: (page, { host }) => (seen.push(page, host), { action: "accept", content: { a: 1 } } as never) }
    })
    expect((await ask("elicitation/create", { ...page, url })).result).toEqual({ action: "accept" })
    expect(seen).toEqual([{ ...page, url }, "xn--pple-43d.example:8443"])
    expect(fetched).not.toHaveBeenCalled()
    fetched.mockRestore()
  })

  it("shows a name in other letters as what it is", async () => {
    const hosts: Array<string> = []
    const { ask } = await answering({ elicit: { url: (_, { host }) => (hosts.push(host), { action: "decline" }) } })
    await ask("elicitation/create", { ...page, url: "https://аpple.example/" })
    expect(hosts).toEqual(["xn--pple-43d.example"])
  })

  it.each(["no url", "javascript:alert(1)", "file:///etc/passwd", "data:text/html,x", "//host", ""])(
    "is refused when it is none to visit: %j",
    async (url) => {
      const visit = vi.fn<AnswerPage>(() => ({ action: "accept" }))
      const { ask } = await answering({ elicit: { url: visit } })
      expect((await ask("elicitation/create", { ...page, url })).error).toEqual({
        code: -32602,
        message: "Invalid params for elicitation/create: url: expected an http or https URL"
      })
      expect(visit).not.toHaveBeenCalled()
    }
  )

  it("is complete when the server says so, for whoever waits, early or late", async () => {
    const heard: Array<string> = []
    let completed: () => Promise<void> = () => Promise.resolve()
    const { ask, server, client } = await answering({
      elicit: { url: (_, asking) => ((completed = asking.completed), { action: "accept" }) }
    })
    client.on("notifications/elicitation/complete", ({ elicitationId }) => heard.push(elicitationId))
    await ask("elicitation/create", page)
    const waiting = [completed(), client.elicitationComplete("e")]
    for (const elicitationId of ["unknown", "e", "e"])
      server.tell("notifications/elicitation/complete", { elicitationId })
    await Promise.all(waiting)
    await client.elicitationComplete("e")
    await client.ping()
    expect(heard).toEqual(["e"])
  })

  it("may be one without encryption, which its handler can see", async () => {
    const { ask } = await answering({ elicit: { url: () => ({ action: "accept" }) } })
    expect((await ask("elicitation/create", { ...page, url: "http://localhost:8080/" })).result).toEqual({
      action: "accept"
    })
  })

  it("may be visited again under the same name, and is complete again", async () => {
    const heard: Array<string> = []
    const { ask, server, client } = await answering({ elicit: { url: () => ({ action: "accept" }) } })
    client.on("notifications/elicitation/complete", ({ elicitationId }) => heard.push(elicitationId))
    for (let times = 1; times <= 2; times++) {
      await ask("elicitation/create", page)
      server.tell("notifications/elicitation/complete", { elicitationId: "e" })
      await client.ping()
      expect(heard).toHaveLength(times)
    }
  })

  it("is forgotten when a thousand others came after it, unless somebody waits for it", async () => {
    const heard: Array<string> = []
    const { ask, server, client } = await answering({ elicit: { url: () => ({ action: "accept" }) } })
    client.on("notifications/elicitation/complete", ({ elicitationId }) => heard.push(elicitationId))
    const waiting = client.elicitationComplete("first")
    for (let n = 0; n < 1_000; n++) await ask("elicitation/create", { ...page, elicitationId: `e${n}` })
    for (const elicitationId of ["e0", "e1", "e999", "first"])
      server.tell("notifications/elicitation/complete", { elicitationId })
    await waiting
    await client.ping()
    expect(heard).toEqual(["e1", "e999", "first"])
  })

  it("that the user did not visit is not completed", async () => {
    const heard = vi.fn<() => void>()
    const { ask, server, client } = await answering({ elicit: { url: () => ({ action: "decline" }) } })
    client.on("notifications/elicitation/complete", heard)
    await ask("elicitation/create", page)
    server.tell("notifications/elicitation/complete", { elicitationId: "e" })
    await client.ping()
    expect(heard).not.toHaveBeenCalled()
  })

  it("is waited for no longer than the signal says, or the session lasts", async () => {
    const { client } = await answering({ elicit: { url: () => ({ action: "accept" }) } })
    const aborted = client.elicitationComplete("x", { signal: AbortSignal.abort("no") })
    await expect(aborted).rejects.toMatchObject({ reason: { _tag: "Abandoned", reason: "no" } })
    const controller = new AbortController()
    const waiting = client.elicitationComplete("x", { signal: controller.signal })
    controller.abort(new Error("enough"))
    await expect(waiting).rejects.toMatchObject({ reason: { _tag: "Abandoned", reason: "enough" } })
    const forever = client.elicitationComplete("x")
    forever.catch(() => undefined)
    await client.close()
    await expect(forever).rejects.toMatchObject({ reason: { _tag: "Closed" } })
    await expect(client.elicitationComplete("x")).rejects.toMatchObject({ reason: { _tag: "Closed" } })
  })

  it("may be what an error asks for, and is then complete as any other", async () => {
    const { server, client } = await answering({ elicit: { url: () => ({ action: "accept" }) } })
    const elicitations = [
      { ...page, elicitationId: "first" },
      { ...page, elicitationId: "second" }
    ]
    server.answers["tools/call"] = () => ({ error: { code: -32042, message: "Sign in", data: { elicitations } } })
    const call = client.callTool("it")
    await expect(call).rejects.toMatchObject({ code: -32042, elicitations })
    await expect(call).rejects.toThrow("call again after the user has visited https://pay.example/now?for=1: Pay;")
    const waiting = client.elicitationComplete("second")
    server.tell("notifications/elicitation/complete", { elicitationId: "second" })
    await waiting
  })
})
