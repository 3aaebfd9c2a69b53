/** What the client does otherwise in a browser: told by the browser's name for itself. `pnpm browser` sees it in a real one. */
import { afterEach, describe, expect, it, vi } from "vitest"
import { callsAtOnce, untold } from "../../src/client/page.js"
import { opened, url } from "./opened.js"

afterEach(() => vi.unstubAllGlobals())
const isIn = (userAgent: string | undefined, origin?: string): void => {
  vi.stubGlobal("navigator", userAgent === undefined ? undefined : { userAgent })
  vi.stubGlobal("origin", origin)
}
const browser = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36"

describe("calls at once", () => {
  it.each([
    ["are few in a browser without TLS, where there is no HTTP/2", browser, "http://mcp.test/mcp", 4],
    ["are not counted in a browser with TLS", browser, "https://mcp.test/mcp", Infinity],
    ["are not counted where nothing has a name", undefined, "http://mcp.test/mcp", Infinity],
    ["are not counted on Node", "Node.js/24", "http://mcp.test/mcp", Infinity],
    ["are not counted on Deno", "Deno/2.9.6", "http://mcp.test/mcp", Infinity],
    ["are not counted on Bun", "Bun/1.4.4", "http://mcp.test/mcp", Infinity],
    ["are not counted on workerd", "Cloudflare-Workers", "http://mcp.test/mcp", Infinity]
  ])("%s", (_, userAgent, address, most) => {
    isIn(userAgent)
    expect(callsAtOnce(new URL(address))).toBe(most)
  })

  it("are as many as maxCalls says, in a browser too", async () => {
    isIn(browser, "http://page.test")
    const { call, asked, channel } = opened(() => new Promise<never>(() => {}), { maxCalls: 6 })
    for (let id = 1; id <= 8; id++) call(id)
    await vi.waitFor(() => expect(asked.length).toBe(6), { interval: 1 })
    await channel.close()
  })
})

describe("a request that fails without a word", () => {
  const failing = async (): Promise<unknown> => {
    const { call, came, channel } = opened(() => Promise.reject(new TypeError("Failed to fetch")))
    call(1)
    const [frame] = await came(1)
    await channel.close()
    return frame
  }

  it("says in a page from elsewhere what may be wrong", async () => {
    isIn(browser, "https://page.test")
    const hint = "is http://mcp.test there, may pages of https://page.test ask it (CORS)"
    expect(await failing()).toMatchObject({ _tag: "Refused", status: 0, body: expect.stringContaining(hint) as string })
  })

  it.each([
    ["in a page of the server's own origin", browser, "http://mcp.test"],
    ["outside of browsers", "Node.js/24", undefined]
  ])("says no more than it was told, %s", async (_, userAgent, origin) => {
    isIn(userAgent, origin)
    expect(untold(new URL(url))).toBe("")
    expect(await failing()).toMatchObject({ _tag: "Refused", status: 0, body: "Failed to fetch" })
  })
})
