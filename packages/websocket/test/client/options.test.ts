/** What `webSocket` does not take, said where it is given. */
import { describe, expect, it } from "vitest"
import type { WebSocketOptions } from "../../src/client/options.js"
import { webSocket } from "../../src/client/web-socket.js"

const url = "ws://localhost:3000/mcp"

describe("webSocket refuses", () => {
  it.each<readonly [string, object, string]>([
    ["localhost:3000/mcp", {}, 'begins with ws: or wss:, not "localhost:3000/mcp"'],
    ["/mcp", {}, "whole address"],
    ["http://localhost/mcp", {}, "begins with ws: or wss:"],
    ["ws://ada:secret@localhost/mcp", {}, "no user and password"],
    [url, { reconect: true }, "no option reconect; there are headers, token, reconnect"],
    [url, { reconnect: { trys: 1 } }, "no option reconnect.trys"],
    [url, { reconnect: 3 }, "a boolean or an object for reconnect, not 3"],
    [url, { openMs: 0 }, "a number of milliseconds"],
    [url, { headers: { "sec-websocket-key": "x" } }, "is set by the protocol itself"],
    [url, { headers: { a: "x\ny" } }, "has a name or a value"],
    [url, { token: "a b" }, "printable ASCII"]
  ])("%s with %j", (address, options, why) => {
    expect(() => webSocket(address, options as WebSocketOptions)).toThrow(why)
  })

  it("and repeats no secret", () => {
    const said = (options: object): string => {
      try {
        webSocket("ws://ada:secret@localhost/mcp", options)
      } catch (error) {
        return (error as Error).message
      }
      return "nothing"
    }
    expect(said({})).not.toContain("secret")
    expect(said({ token: "my secret" })).not.toContain("secret")
  })
})
