/** What the soak speaks with: requests by node:http that may be cut at any time, and raw sockets. */
import { Agent, request } from "node:http"
import { connect } from "node:net"

export const agent = new Agent({ keepAlive: true, maxSockets: 256 })

const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" }

/** An exchange under way. `answer` settles with status, headers and messages; with `cut: true` when it was cut before its end. */
export function exchange(url, { method = "POST", headers = {}, body, onMessage = () => {} } = {}) {
  let cutting = false
  let cut
  const answer = new Promise((resolve, reject) => {
    const req = request(url, { method, agent, headers: { ...usual, ...headers } })
    cut = () => {
      cutting = true
      req.destroy()
      resolve({ cut: true, messages: [] })
    }
    req.on("error", (error) => (cutting ? undefined : reject(error)))
    req.on("response", (res) => {
      const messages = []
      let lastId
      let text = ""
      let all = ""
      const isStream = res.headers["content-type"] === "text/event-stream"
      const done = (isWhole) => {
        if (!isStream && all !== "") messages.push(JSON.parse(all))
        resolve({ status: res.statusCode, headers: res.headers, messages, lastId, cut: !isWhole })
      }
      res.setEncoding("utf8")
      res.on("data", (more) => {
        if (!isStream) return void (all += more)
        text += more
        const events = text.split("\n\n")
        text = events.pop()
        for (const event of events) {
          const id = /^id: (.*)$/m.exec(event)?.[1]
          if (id !== undefined) lastId = id
          const data = /^data: (.*)$/m.exec(event)?.[1]
          const message = data ? JSON.parse(data) : undefined
          if (message !== undefined) messages.push(message)
          onMessage(message, { lastId })
        }
      })
      res.on("end", () => done(true))
      res.on("error", () => done(false))
    })
    req.end(typeof body === "object" ? JSON.stringify(body) : body)
  })
  return { answer, cut: () => cut() }
}

/** A connection that says what it is told, and reads only when it is told. `closed` settles with all that was read. */
export function raw(url, text) {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port, allowHalfOpen: true })
  socket.on("error", () => {})
  let came = ""
  socket.setEncoding("latin1")
  const closed = new Promise((resolve) => {
    socket.once("end", () => socket.end())
    socket.once("close", () => resolve(came))
  })
  socket.write(text)
  return {
    socket,
    closed,
    read: () => void socket.on("data", (more) => (came += more))
  }
}

/** A POST as text, of which `sent` characters of the body are there. */
export function head(url, headers, body, sent = body.length) {
  const { pathname, host } = new URL(url)
  const all = { host, ...usual, "content-length": Buffer.byteLength(body), ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return `POST ${pathname} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n${body.slice(0, sent)}`
}
