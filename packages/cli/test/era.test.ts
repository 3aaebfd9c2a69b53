/** Which way a server was opened by, and how that was found out, against servers of either kind and odd ones. */
import { describe, expect, it } from "vitest"
import { fixture, parley, script } from "./stage.js"

const eras = fixture("sdk-2-eras")

interface Document {
  readonly version: { readonly asked: string; readonly inForce: string }
  readonly era: { readonly opening: string; readonly how: string; readonly startedAgain: boolean }
  readonly remarks: ReadonlyArray<{ readonly weight: string; readonly text: string }>
  readonly tools: { readonly ttlMs?: number; readonly cacheScope?: string }
}

const inspected = async (...argv: ReadonlyArray<string>): Promise<Document> =>
  JSON.parse((await parley(["inspect", "--json", ...argv])).stdout) as Document

const answeredFirst = { opening: "request", how: "answered server/discover", startedAgain: false }

describe("a server of both kinds", () => {
  it("is opened by server/discover, and no initialize is sent", async () => {
    const { stdout } = await parley(["inspect", ...eras])
    expect(stdout).toContain("speaks 2026-07-28, opened by server/discover")
    expect(stdout).toContain("asks in 2026-07-28, declares elicitation")
    expect(stdout).not.toContain("initialize")
    expect((await inspected(...eras)).era).toEqual(answeredFirst)
  })

  it("is opened by the oldest version with --prefer oldest, and by the one that is named", async () => {
    const how = { opening: "handshake", how: "answered initialize", startedAgain: false }
    expect(await inspected("--prefer", "oldest", ...eras)).toMatchObject({
      era: how,
      version: { asked: "2024-11-05", inForce: "2024-11-05" }
    })
    expect(await inspected("--revision", "2025-06-18", ...eras)).toMatchObject({
      era: how,
      version: { asked: "2025-06-18", inForce: "2025-06-18" }
    })
  })

  it("says for how long its lists are good, and --verbose how it was opened", async () => {
    expect((await inspected(...eras)).tools).toMatchObject({ ttlMs: 90_000, cacheScope: "public" })
    const { stdout } = await parley(["inspect", ...eras])
    expect(stdout).toMatch(/\nTools {2}4 · .* ms · good for 1\.5 min, public\n/)
    const { stderr } = await parley(["call", "add", "a=1", "b=2", "--verbose", ...eras])
    expect(stderr).toContain("The server answered server/discover: 2026-07-28 is in force.")
  })

  it("logs what each request asks for", async () => {
    const { stdout, stderr } = await parley(["call", "say", "--log-level", "info", ...eras])
    expect([stdout, stderr]).toEqual(["said\n", "[warning] said at warning\n"])
  })
})

it("a server of 2026-07-28 alone is found also when the oldest version is preferred", async () => {
  const { era } = await inspected("--prefer", "oldest", ...eras, "modern")
  expect(era).toMatchObject({
    opening: "request",
    how: "refused initialize (error -32022 Unsupported protocol version: 2024-11-05), and answered server/discover"
  })
})

describe("versions that do not fit are named on both sides:", () => {
  it.each([
    ["an older one of a newer server", "2025-11-25", [...eras, "modern"], "2026-07-28", "say --revision 2026-07-28"],
    ["a newer one of an older server", "2026-07-28", fixture("sdk-1"), "opened by initialize", "leave out --revision"]
  ])("%s", async (_, revision, server, offered, remedy) => {
    const { code, stdout } = await parley(["inspect", "--json", "--revision", revision, ...server])
    const { error } = JSON.parse(stdout) as { error: { kind: string; message: string; remedy: string } }
    expect([code, error.kind]).toEqual([3, "unopened"])
    expect(error.message).toContain(offered)
    expect(error.message).toContain(`this client speaks ${revision}`)
    expect(error.remedy).toContain(remedy)
  })
})

describe("a server of older versions", () => {
  it("that ends on what it does not know is started again, which is said", async () => {
    const server = script(older(`process.exit(3)`))
    const { code, stdout, stderr } = await parley(["inspect", ...server])
    expect(code).toBe(0)
    expect(stderr).toContain("The server ended on server/discover (exit code 3): it is started again")
    expect(stdout).toContain("It ended on server/discover, was started again, and answered initialize.")
    expect(stdout).toContain("! It ended on server/discover (exit code 3), and was started again")
    expect((await inspected(...server)).era.startedAgain).toBe(true)
  })

  it("that ends in any case is not blamed for the question", async () => {
    const { code, stderr } = await parley(["inspect", ...script("process.exit(9)")])
    expect(code).toBe(3)
    expect(stderr).toContain("exited with code 9")
  })

  it("that says nothing is opened by initialize when it was waited for", async () => {
    const { era, remarks } = await inspected("--timeout", "2000", ...script(older("return")))
    expect(era.how).toMatch(/^said nothing to server\/discover for \d+ ms, and answered initialize$/)
    expect(remarks).toContainEqual({
      weight: "note",
      text: expect.stringContaining("It answered server/discover with nothing") as string
    })
  })

  it("that answers everything is not taken for a newer one", async () => {
    const { era } = await inspected(...script(older(`return say({ id, result: {} })`)))
    expect(era.how).toBe("answered server/discover with something else, and answered initialize")
  })
})

describe("a server of 2026-07-28 whose tools nobody sees", () => {
  it("because it does not answer server/discover as it must", async () => {
    const { code, stderr } = await parley(["inspect", ...script(newer({ discover: `return say({ id, error })` }))])
    expect(code).toBe(3)
    expect(stderr).toContain("← error            -32603 broken")
    expect(stderr.replaceAll(/\s+/g, " ")).toContain(
      "did not answer that as it must: this is a mistake of the server's"
    )
  })

  it("because it did not declare them", async () => {
    const server = script(newer({ capabilities: "{}" }))
    expect((await parley(["inspect", ...server])).stdout).toContain("! It declares no tools, resources or prompts")
    const { stdout } = await parley(["inspect", "--probe", ...server])
    expect(stdout).toContain("✗ Tools were answered (1) that were not declared: clients will not ask for them.")
  })

  it("because it serves only clients that declare more", async () => {
    const missing = `return say({ id, error: { code: -32021, message: "no", data: { requiredCapabilities: { NEEDS } } } })`
    const able = script(newer({ tools: missing.replace("NEEDS", "sampling: {}, elicitation: { form: {} }") }))
    expect((await parley(["inspect", ...able])).stdout.replaceAll(/\s+/g, " ")).toContain(
      "no; declare what it needs: --client-capabilities sampling,elicitation.form"
    )
    const unable = script(newer({ tools: missing.replace("NEEDS", `extensions: { "a.b/c": {} }`) }))
    expect((await parley(["inspect", ...unable])).stdout.replaceAll(/\s+/g, " ")).toContain(
      "no; it serves only clients that can do more than this one: extensions.a.b/c"
    )
  })

  it("because clients may keep an older list", async () => {
    const { remarks } = await inspected(...script(newer({ ttlMs: 7_200_000 })))
    expect(remarks).toContainEqual({
      weight: "note",
      text: "Clients may keep its tools for 2 h, and are not told of a change before that: it does not declare tools.listChanged."
    })
  })
})

const lines = (body: string): string => `
const say = (message) => console.log(JSON.stringify({ jsonrpc: "2.0", ...message }))
const error = { code: -32603, message: "broken" }
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  ${body}
})`

/** Opened by initialize; `discover` is what it does when it is asked what it speaks. */
const older = (discover: string): string =>
  lines(`
  if (method === "server/discover") { ${discover} }
  if (method === "initialize")
    say({ id, result: { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "s", version: "1" } } })`)

const newer = ({ capabilities = "{ tools: {} }", discover = "", tools = "", ttlMs = 0 }): string =>
  lines(`
  const hints = { resultType: "complete", ttlMs: ${ttlMs}, cacheScope: "private" }
  if (method === "server/discover") {
    ${discover}
    return say({ id, result: { ...hints, supportedVersions: ["2026-07-28"], capabilities: ${capabilities} } })
  }
  if (method === "initialize")
    return say({ id, error: { code: -32602, message: "no", data: { supported: ["2026-07-28"] } } })
  if (method === "tools/list") {
    ${tools}
    return say({ id, result: { ...hints, tools: [{ name: "t", description: "d", inputSchema: { type: "object" } }] } })
  }
  say({ id, error })`)
