/** Servers with an address: what the page says of the way to them, and what of a way that leads nowhere. */
import type { RequestListener } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo, Server } from "node:net"
import { createServer as createSocket } from "node:net"
import type { Revision } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import { listen, nodeHandler } from "@parley/http/node"
import { defineServer, tool } from "@parley/server"
import { afterEach, describe, expect, it } from "vitest"
import { parley } from "./stage.js"

const ends: Array<() => Promise<unknown>> = []
afterEach(async () => {
  for (const end of ends.splice(0)) await end()
})

const echo = tool(
  "echo",
  { input: { type: "object", properties: { message: { type: "string" } } } },
  ({ message }) => message ?? ""
)

async function server(only?: string, more: Parameters<typeof listen>[1] = {}): Promise<string> {
  const spoken: ReadonlyArray<Revision> = only === undefined ? revisions : revisions.filter(({ name }) => name === only)
  const { url, close } = await listen(
    defineServer({ name: "far", version: "1.0.0" }, [echo], { revisions: spoken }),
    more
  )
  ends.push(close)
  return url
}

/** The port of a server that is no server of ours. */
async function port(made: Server): Promise<number> {
  await new Promise<void>((resolve) => made.listen(0, "127.0.0.1", resolve))
  ends.push(() => new Promise((resolve) => made.close(resolve)))
  return (made.address() as AddressInfo).port
}
const site = async (answer: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await port(createServer(answer))}/mcp`

describe("a server that has an address", () => {
  it.each([
    ["2026-07-28", "Streamable HTTP, without a session. POST server/discover: 200, application/json"],
    ["2025-06-18", "Streamable HTTP, with a session. POST server/discover: 400, application/json; POST"]
  ])("of %s is shown with the way to it", async (revision, words) => {
    const url = await server(revision, { legacySse: true })
    const { code, stdout, stderr } = await parley(["inspect", `${url}?key=s3cret`])
    expect([code, stderr]).toEqual([0, ""])
    expect(stdout).toContain(`reached at ${url}?…`)
    expect(stdout).toContain(`speaks ${revision}`)
    expect(stdout.replaceAll(/\n */g, " ")).toContain(words)
    expect(stdout).toContain("echo")
    expect(stdout).not.toContain("s3cret")
  })

  it("of the deprecated HTTP+SSE is shown with the way to it", async () => {
    const older = revisions.filter(({ name }) => name === "2024-11-05")
    const handler = nodeHandler(defineServer({ name: "far", version: "1.0.0" }, [echo], { revisions: older }), {
      legacySse: true
    })
    ends.push(handler.close)
    const url = await site((request, response) =>
      request.method === "POST" && request.url === "/mcp"
        ? void response.writeHead(405).end()
        : handler(request, response)
    )
    const { code, stdout } = await parley(["inspect", url])
    expect(code).toBe(0)
    expect(stdout.replaceAll(/\n */g, " ")).toContain(
      "It speaks HTTP+SSE, which is deprecated. POST server/discover: 405;"
    )
  })

  it("is called, and secrets are in no document and no transcript", async () => {
    const url = await server(undefined, {
      authenticate: ({ header }) =>
        header("authorization") === "Bearer s3cret" ? { principal: "me" } : { unauthorized: { scope: "all" } }
    })
    const words = ["--header", "Authorization: Bearer s3cret", "-v", "--json"]
    const called = await parley(["call", "echo", "message=hi", ...words, url])
    expect([called.code, JSON.parse(called.stdout)]).toMatchObject([0, { content: [{ type: "text", text: "hi" }] }])
    const inspected = await parley(["inspect", ...words, url])
    expect(JSON.parse(inspected.stdout)).toMatchObject({
      url,
      transport: { name: "Streamable HTTP", session: false },
      exchanges: [{ verb: "POST", about: "server/discover", status: 200, type: "application/json" }]
    })
    expect(called.stderr + inspected.stdout + inspected.stderr).not.toContain("s3cret")
  })
})

describe("says what it looks like where there is no session:", () => {
  const page: RequestListener = (_, response) =>
    response.writeHead(200, { "content-type": "text/html" }).end("<p>Hi</p>")
  const status =
    (code: number, headers: Record<string, string> = {}): RequestListener =>
    (_, response) =>
      void response.writeHead(code, headers).end()
  const bearer = 'Bearer realm="r", scope="read", resource_metadata="https://auth.example/meta"'

  it.each<[string, () => Promise<string>, string, string]>([
    ["a wrong path", async () => `${await server()}/no`, "nothing is there: the path looks wrong", "it is often /mcp"],
    ["a page", () => site(page), "a web page came (HTTP 200), not a message", "in a browser"],
    [
      "a login",
      () => site(status(401, { "www-authenticate": bearer })),
      "a login, of the kind Bearer (realm: r; scope: read; resource metadata: https://auth.example/meta)",
      '--header "Authorization: Bearer $TOKEN"'
    ],
    [
      "a password",
      () => site(status(401, { "www-authenticate": "Basic" })),
      "a login, of the kind Basic",
      "user:password"
    ],
    [
      "a Host that is refused",
      () => server(undefined, { allowedHosts: ["elsewhere.example"] }),
      "refuses this host, this origin or these credentials",
      "try localhost"
    ],
    ["a method that is refused", () => site(status(405)), "takes no POST", "it is often /mcp"],
    [
      "a server behind a proxy that is not there",
      () => site(status(502)),
      "or a proxy before it, failed",
      "502, 503 or 504"
    ],
    [
      "a port where nothing listens",
      async () => {
        const url = await server()
        await ends.pop()!()
        return url
      },
      "(connection refused)",
      "start the server"
    ],
    [
      "a name that is not known",
      async () => "http://nowhere.invalid/mcp",
      "the name nowhere.invalid is not known (DNS:",
      "check the spelling"
    ],
    [
      "TLS where there is none",
      async () => (await server()).replace("http:", "https:"),
      "does not speak TLS there",
      "http://"
    ],
    [
      "a connection that is cut",
      async () =>
        `http://127.0.0.1:${await port(createSocket((socket) => socket.on("data", () => socket.destroy())))}/`,
      "cut the connection without an answer",
      "https://"
    ]
  ])("%s", async (_, made, looks, remedy) => {
    const { code, stdout, stderr } = await parley(["inspect", "--json", await made()])
    expect(code).toBe(3)
    const { error, exchanges } = JSON.parse(stdout) as {
      error: { kind: string; message: string; remedy: string }
      exchanges: ReadonlyArray<unknown>
    }
    expect(error).toMatchObject({ kind: "unopened", message: expect.stringContaining(looks) as string })
    expect(error.remedy).toContain(remedy)
    expect(exchanges.length).toBeGreaterThan(0)
    expect(stderr).toContain("What came over HTTP")
  })
})
