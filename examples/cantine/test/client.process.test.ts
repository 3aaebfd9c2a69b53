import { execFile, spawn } from "node:child_process"
import { once } from "node:events"
import type { RequestListener, Server } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest"
import { answers, messages } from "./conversation.js"
import type { Programs } from "./programs.js"
import { programs } from "./programs.js"

let made: Programs
beforeAll(async () => void (made = await programs("server.mjs", "client.mjs")))
afterAll(() => made.remove())

let model: Server | undefined
afterEach(() => {
  model?.closeAllConnections()
  model?.close()
})

/** A server that plays the model, and its address. */
async function played(answer: RequestListener): Promise<string> {
  model = createServer(answer).listen(0, "127.0.0.1")
  await once(model, "listening")
  return `http://127.0.0.1:${(model.address() as AddressInfo).port}`
}

const run = (env: Record<string, string>): Promise<string> =>
  new Promise((resolve, reject) => {
    const clean = { PATH: process.env["PATH"], ...env }
    execFile(process.execPath, [made.path("client.mjs")], { env: clean, timeout: 20_000 }, (error, stdout, stderr) =>
      error === null && stderr === "" ? resolve(stdout) : reject(new Error(`${String(error)}\n${stdout}${stderr}`))
    )
  })

const example = /No model said so \((.*)\); this example was written by hand:\n {2}It offers tools /
const reason = (stdout: string): string | undefined => example.exec(stdout)?.[1]

describe("the client of cantine", () => {
  it("sends the seven messages in order and prints each with its answer", async () => {
    const stdout = await run({})
    const lines = stdout.split("\n")
    const shown = (arrow: string) =>
      lines.filter((line) => line.startsWith(`  ${arrow} {`)).map((line) => line.slice(6))
    expect(shown("-->").map((line) => JSON.parse(line) as unknown)).toMatchObject(
      messages.map(({ id, method }) => (id === undefined ? { method } : { id, method }))
    )
    expect(shown("<--").map((line) => JSON.parse(line) as unknown)).toEqual(answers)
    for (const [index, line] of lines.entries())
      if (line.startsWith("  -->")) expect(lines[index + 1]).toMatch(/^ {2}<-- [{(]/)
  })

  it("leaves without a word when its reader has seen enough", async () => {
    const client = spawn(process.execPath, [made.path("client.mjs")], { stdio: ["ignore", "pipe", "pipe"] })
    let said = ""
    client.stderr.on("data", (chunk) => (said += String(chunk)))
    client.stdout.destroy()
    expect([(await once(client, "close"))[0], said]).toEqual([0, ""])
  })

  it("asks a model at AI_URL for one sentence, and shows what it says", async () => {
    const heard: Array<unknown> = []
    const url = await played((request, response) => {
      let body = ""
      request.on("data", (chunk) => (body += String(chunk)))
      request.on("end", () => {
        heard.push([request.method, request.url, request.headers["content-type"], JSON.parse(body)])
        response.end(JSON.stringify({ choices: [{ message: { content: "It\u001b[31m has\ntools. " } }] }))
      })
    })
    const stdout = await run({ AI_URL: url, AI_MODEL: "small" })
    expect(stdout).toMatch(/do\?\n {2}It \[31m has tools\.\n$/)
    expect(reason(stdout)).toBeUndefined()
    const content = expect.stringContaining('the capabilities {"tools":{"listChanged":false}}. In one sentence')
    const asked = { model: "small", messages: [{ role: "user", content }] }
    expect(heard).toEqual([["POST", "/v1/chat/completions", "application/json", asked]])
  })

  it.each(["/", "/v1", "/v1/", "/v1/chat/completions"])("takes AI_URL with %s at its end as well", async (end) => {
    const paths: Array<string | undefined> = []
    const url = await played((request, response) => {
      paths.push(request.url)
      response.end(JSON.stringify({ choices: [{ message: { content: "Yes." } }] }))
    })
    expect(await run({ AI_URL: url + end })).toMatch(/\n {2}Yes\.\n$/)
    expect(paths).toEqual(["/v1/chat/completions"])
  })
})

describe("the client of cantine, without a model's answer, shows an example and says that it is one", () => {
  it("when AI_URL is not set", async () => {
    expect(reason(await run({}))).toBe("AI_URL is not set")
  })

  it.each<[string, string, RequestListener]>([
    ["it answers with an error", "the model's server answered 503", (_, response) => response.writeHead(503).end("{}")],
    [
      "an error's body never ends",
      "the model's server answered 500",
      (_, response) => response.writeHead(500).write("a")
    ],
    ["it answers what is not JSON", "the answer is not JSON", (_, response) => response.end("<html>")],
    ["there are no choices", "the answer has no sentence in it", (_, response) => response.end('{"choices":[]}')],
    ["it answers null", "the answer has no sentence in it", (_, response) => response.end("null")],
    [
      "the sentence is empty",
      "the answer has no sentence in it",
      (_, response) => response.end('{"choices":[{"message":{"content":" "}}]}')
    ],
    ["it hangs up", "the model's server hung up without an answer", (request) => request.socket.destroy()],
    [
      "it is cut off in the middle",
      "the connection was cut in the middle of the answer",
      (_, response) => response.writeHead(200, { "content-length": 100 }).write('{"choices":', () => response.destroy())
    ],
    [
      "it does not speak HTTP",
      "what answers at AI_URL does not speak HTTP",
      (request) => request.socket.end("SSH-2.0-OpenSSH\r\n")
    ]
  ])("when %s", async (_, why, answer) => {
    expect(reason(await run({ AI_URL: await played(answer) }))).toBe(why)
  })

  it("when nothing comes in time, or the answer does not end", async () => {
    expect(reason(await run({ AI_URL: await played(() => {}), AI_TIMEOUT_MS: "200" }))).toBe("no answer in 0.2 s")
    model?.closeAllConnections()
    model?.close()
    const url = await played((_, response) => response.write('{"choices":['))
    expect(reason(await run({ AI_URL: url, AI_TIMEOUT_MS: "200" }))).toBe("no whole answer in 0.2 s")
  })

  it("when nobody listens at AI_URL", async () => {
    const url = await played(() => {})
    model?.close()
    await once(model!, "close")
    expect(reason(await run({ AI_URL: url }))).toBe("AI_URL can not be reached (ECONNREFUSED)")
  })

  it.each(["the moon", "notaurl", "localhost:8080", "ftp://127.0.0.1/"])("when AI_URL is %s", async (url) => {
    const why = "AI_URL does not begin with http:// or https://, or is no URL"
    expect(reason(await run({ AI_URL: url }))).toBe(why)
  })

  it("when AI_URL or AI_KEY can not be used, and repeats neither", async () => {
    const named = await run({ AI_URL: "http://me:secret@127.0.0.1" })
    expect(reason(named)).toBe("AI_URL has a user name or a password in it, which is not sent: a key goes into AI_KEY")
    const keyed = await run({ AI_URL: "http://127.0.0.1", AI_KEY: "secret\nsecret" })
    expect(reason(await run({ AI_URL: "http://127.0.0.1", AI_KEY: "sécret→" }))).toBe(reason(keyed))
    expect(reason(keyed)).toBe("AI_KEY has characters in it that no header may have")
    expect(named + keyed).not.toContain("secret")
  })
})
