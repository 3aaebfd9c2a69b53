/** What clients do in the soak, well and badly, and what each of it must come to. */
import { once } from "node:events"
import { exchange, head, raw } from "./client.mjs"

const modernVersion = "2026-07-28"
const handshakes = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]

let ids = 0
const request = (method, params) => ({ jsonrpc: "2.0", id: ++ids, method, params })
const calling = (name, args = {}) => request("tools/call", { name, arguments: args, _meta: { progressToken: ids + 1 } })
const textOf = ({ messages }) => messages.at(-1)?.result?.content?.[0]?.text

function must(holds, what, came) {
  if (!holds) throw new Error(`${what}: ${JSON.stringify(came).slice(0, 300)}`)
}

/** A session that is open, whose client may leave it behind. */
export async function opened(url, choose) {
  const version = handshakes[choose(4)]
  const params = {
    protocolVersion: version,
    capabilities: { elicitation: {} },
    clientInfo: { name: "soaking", version: "1" }
  }
  const came = await exchange(url, { body: request("initialize", params) }).answer
  must(came.status === 200 && came.headers["mcp-session-id"], "initialize", came)
  const headers = { "mcp-session-id": came.headers["mcp-session-id"], "mcp-protocol-version": version }
  const noted = await exchange(url, { headers, body: { jsonrpc: "2.0", method: "notifications/initialized" } }).answer
  must(noted.status === 202, "initialized", noted)
  return { url, version, headers, choose, post: (body, more) => exchange(url, { headers, body, ...more }) }
}

/** Ends it in order. */
export async function left({ url, headers }) {
  const came = await exchange(url, { method: "DELETE", headers }).answer
  must(came.status === 204, "DELETE", came)
}

/** Each deed of a session by its name; `counts` is told how many requests were answered, and so on. */
export const inSession = {
  async echo({ post, choose }, counts) {
    const text = "é".repeat(choose(2_000))
    const came = await post(calling("echo", { text })).answer
    must(textOf(came) === text, "echo", came)
    counts.answered++
  },
  async waits({ post, choose }, counts) {
    const came = await post(calling("slow", { ms: choose(150), text: "t" })).answer
    must(textOf(came) === "t", "slow", came)
    counts.answered++
  },
  async cancels({ post }, counts) {
    const asked = calling("slow", { ms: 20_000, text: "never" })
    const heard = first()
    const { answer } = post(asked, { onMessage: heard.tell })
    await said(heard, answer)
    const params = { requestId: asked.id }
    const noted = await post({ jsonrpc: "2.0", method: "notifications/cancelled", params }).answer
    must(noted.status === 202, "cancelled", noted)
    const came = await answer
    must(
      came.messages.every(({ id }) => id === undefined),
      "a cancelled request",
      came
    )
    counts.cancelled++
  },
  /** At 2025-11-25 the client comes back for the reply, and gets it. */
  async cuts({ url, version, headers, post }, counts) {
    const heard = first()
    let last
    let whole = false
    const asked = calling("slow", { ms: 300, text: "kept" })
    const { cut, answer } = post(asked, {
      onMessage: (message, { lastId }) => {
        last = lastId
        whole ||= message?.result !== undefined
        if (message !== undefined) heard.tell()
      }
    })
    await said(heard, answer)
    cut()
    counts.cut++
    // On a busy machine all of it may have come before it was cut: then nothing is left to be read.
    if (version !== "2025-11-25" || whole) return
    const came = await exchange(url, { method: "GET", headers: { ...headers, "last-event-id": last } }).answer
    must(textOf(came) === "kept", "a stream that was read on", came)
    counts.resumed++
    counts.answered++
  },
  async answers({ version, post }, counts) {
    if (version < "2025-06-18") return
    const heard = first()
    const { answer } = post(calling("ask"), {
      onMessage: (message) => message?.id !== undefined && heard.tell(message)
    })
    const { id } = await said(heard, answer)
    const result = { action: "accept", content: { name: "Ann" } }
    const taken = await post({ jsonrpc: "2.0", id, result }).answer
    must(taken.status === 202, "an answer", taken)
    const came = await answer
    must(textOf(came) === "Hello, Ann", "a question", came)
    counts.answered++
  },
  /** Somebody who reads a little, and late; or never, and is let go. */
  async dawdles({ url, headers, post, choose }, counts) {
    const level = await post(request("logging/setLevel", { level: "debug" })).answer
    must(level.status === 200, "setLevel", level)
    const one = raw(url, head(url, { ...headers, connection: "close" }, JSON.stringify(calling("flood"))))
    const reads = choose(2) === 0
    await new Promise((resolve) => setTimeout(resolve, 300))
    if (reads) one.read()
    else setTimeout(() => one.socket.destroy(), 4_000).unref()
    const came = await one.closed
    must(!reads || came.includes('"over"'), "somebody who read late", came.slice(-300))
    if (reads) counts.answered++
    counts.slow++
  },
  /** The session's own stream, for a while. */
  async listens({ url, headers }, counts) {
    const { cut, answer } = exchange(url, { method: "GET", headers })
    await new Promise((resolve) => setTimeout(resolve, 20))
    cut()
    await answer
    counts.cut++
  }
}

const meta = {
  "io.modelcontextprotocol/protocolVersion": modernVersion,
  "io.modelcontextprotocol/clientCapabilities": {}
}

function modern(url, method, params, more) {
  const body = request(method, { ...params, _meta: { ...meta, progressToken: 1 } })
  const headers = { "mcp-protocol-version": modernVersion, "mcp-method": method }
  if (params.name !== undefined) headers["mcp-name"] = params.name
  return exchange(url, { headers, body, ...more })
}

/** 2026-07-28. */
export const alone = {
  async echo({ url }, counts) {
    const came = await modern(url, "tools/call", { name: "echo", arguments: { text: "a" } }).answer
    must(textOf(came) === "a", "echo", came)
    counts.answered++
  },
  async waits({ url, choose }, counts) {
    const came = await modern(url, "tools/call", { name: "slow", arguments: { ms: choose(150), text: "t" } }).answer
    must(textOf(came) === "t", "slow", came)
    counts.answered++
  },
  async cuts({ url }, counts) {
    const heard = first()
    const args = { ms: 20_000, text: "never" }
    const { cut, answer } = modern(url, "tools/call", { name: "slow", arguments: args }, { onMessage: heard.tell })
    await said(heard, answer)
    cut()
    counts.cut++
    counts.cancelled++
  },
  async listens({ url }, counts) {
    const heard = first()
    const { cut, answer } = modern(url, "subscriptions/listen", { notifications: {} }, { onMessage: heard.tell })
    await said(heard, answer)
    cut()
    counts.cut++
  }
}

const sound = () => JSON.stringify(calling("echo", { text: "a" }))

/**
 * What is refused, and with which status.
 * @type {ReadonlyArray<readonly [what: string, status: number, make: () => object]>}
 */
const refused = [
  ["a page from elsewhere", 403, () => ({ headers: { origin: "https://evil.example.com" }, body: sound() })],
  ["a host that is another's", 403, () => ({ headers: { host: "evil.example.com" }, body: sound() })],
  ["what is no JSON", 400, () => ({ headers: { "mcp-protocol-version": modernVersion }, body: '{"jsonrpc":' })],
  ["who takes no answer", 406, () => ({ headers: { accept: "text/html" }, body: sound() })],
  ["another media type", 415, () => ({ headers: { "content-type": "text/plain" }, body: sound() })],
  ["a dead session", 404, () => ({ headers: { "mcp-session-id": "0123456789abcdef" }, body: sound() })],
  ["no session", 400, () => ({ body: sound() })],
  ["another method", 405, () => ({ method: "PUT", body: sound() })],
  ["a body that is too large", 413, () => ({ body: `"${"x".repeat(300 * 1024)}"` })]
]

export async function refuses(url, choose, counts) {
  const [what, status, make] = refused[choose(refused.length)]
  const came = await exchange(url, make()).answer
  must(came.status === status && came.messages[0]?.error !== undefined, `${what} is ${status}`, came)
  counts.refused++
}

/** A client that vanishes in the middle of its request: the server answers 408, and lets go. */
export async function halfOpen(url, counts) {
  const one = raw(url, head(url, {}, sound(), 20))
  one.read()
  const came = await one.closed
  must(came.startsWith("HTTP/1.1 408"), "half a body", came)
  counts.halfOpen++
}

/** A client that ends its side before it is answered. */
export async function halfClosed(url, counts) {
  const one = raw(url, head(url, { "mcp-protocol-version": modernVersion }, sound(), 20))
  one.socket.end()
  one.read()
  await one.closed
  if (!one.socket.destroyed) await once(one.socket, "close")
  counts.halfOpen++
}

/** What came first by a stream. An answer that comes before is a refusal. */
const said = ({ told }, answer) =>
  Promise.race([
    told,
    answer.then((came) => Promise.reject(new Error(`no stream: ${JSON.stringify(came).slice(0, 300)}`)))
  ])

function first() {
  let tell
  const told = new Promise((resolve) => (tell = resolve))
  return { told, tell }
}
