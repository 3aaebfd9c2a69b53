/** What a driver passes on of the exchanges that a channel knows of. */
import { describe, expect, it } from "vitest"
import type { Closed } from "../src/channel.js"
import type { Driving } from "../src/drive.js"
import { drive } from "../src/drive.js"
import type { ByHand } from "./by-hand.js"
import { byHand } from "./by-hand.js"
import type { Input, Of, Output, State } from "./remembering.js"
import { does, machine, send } from "./remembering.js"

type Options = Partial<Driving<State, Input, Output, Of>>

/** A driver that notes what its machine was told, and why it is to do what it does. */
function noting(options: Options = {}) {
  const channel: ByHand = byHand()
  const inputs: Array<Input> = []
  const performed: Array<readonly [Output, Input]> = []
  const made = machine((word) => (word === "go" ? [send("a"), does("b")] : []))
  const driver = drive<State, Input, Output, Of>({
    machine: { ...made, step: (state, input) => (inputs.push(input), made.step(state, input)) },
    channel,
    perform: (output, because) => performed.push([output, because]),
    ended: (why) => ({ _tag: "Ended", why }),
    ...options
  })
  return { channel, inputs, performed, driver }
}

const came = { via: "a", principal: "ann", header: "2026-07-28", context: { env: 1 } }

describe("what a channel knows of an exchange", () => {
  it.each([
    ["a text", { _tag: "Text", text: '"go"', ...came }],
    ["what was parsed already", { _tag: "Parsed", json: "go", ...came }]
  ] as const)("goes along with %s, and is there for what follows from it", (_, frame) => {
    const { channel, inputs, performed } = noting()
    void channel.on.frame(frame)
    const received = { _tag: "Received", json: "go", ...came }
    expect(inputs).toEqual([received])
    expect(performed).toEqual([[does("b"), received]])
    // It is the very object: nothing of it is copied.
    expect(performed[0]![1]).toBe(inputs[0])
  })

  it("is not there for what follows from something else", () => {
    const { channel, driver, performed } = noting()
    void channel.on.frame({ _tag: "Parsed", json: "other", ...came })
    driver.feed({ _tag: "Did", what: "go" })
    expect(performed).toEqual([[does("b"), { _tag: "Did", what: "go" }]])
  })

  it("is told to the machine in its own words when an exchange ends, where it has words for that", () => {
    const { channel, driver } = noting({ hungUp: (via) => ({ _tag: "Did", what: `hung up ${via}` }) })
    void channel.on.frame({ _tag: "ExchangeClosed", via: "b" })
    expect(driver.state()).toEqual(["hung up b"])
    const deaf = noting()
    void deaf.channel.on.frame({ _tag: "ExchangeClosed", via: "b" })
    expect(deaf.driver.state()).toEqual([])
  })
})

describe("what a step comes to", () => {
  it("is told whole before any of it is done", () => {
    const order: Array<unknown> = []
    const { channel } = noting({
      stepped: (outputs) => order.push(outputs.map(({ _tag }) => _tag)),
      perform: () => order.push("performed")
    })
    const real = channel.send.bind(channel)
    channel.send = (out) => {
      order.push("sent")
      return real(out)
    }
    void channel.on.frame({ _tag: "Parsed", json: "go", via: "a" })
    expect(order).toEqual([["Send", "Do"], "sent", "performed"])
  })
})

describe("what was not served", () => {
  it.each([
    { _tag: "Refused", id: 1, status: 502, body: "bad gateway" },
    { _tag: "SessionLost", id: undefined }
  ] as const)("is told to the machine in its own words, where it has words for that: $_tag", (frame) => {
    const { channel, driver } = noting({ unserved: ({ _tag, id }) => ({ _tag: "Did", what: `${_tag} ${id}` }) })
    void channel.on.frame(frame)
    expect(driver.state()).toEqual([`${frame._tag} ${frame.id}`])
    const deaf = noting()
    void deaf.channel.on.frame(frame)
    expect(deaf.driver.state()).toEqual([])
  })
})

describe("what is to be said in headers", () => {
  const headed = () => ({ revision: "2026-07-28", mirror: [["Mcp-Method", "a"]] }) as const

  it("goes along with what is sent, on a channel that has them", () => {
    const channel = byHand()
    const made = machine((word) => (word === "go" ? [send("a")] : []))
    const on = { machine: made, perform: () => {}, ended: (why: Closed): Input => ({ _tag: "Ended", why }), headed }
    drive<State, Input, Output, Of>({ ...on, channel: { ...channel, headers: true } }).feed({ _tag: "Did", what: "go" })
    drive<State, Input, Output, Of>({ ...on, channel }).feed({ _tag: "Did", what: "go" })
    expect(channel.sent.map(({ revision, mirror }) => [revision, mirror])).toEqual([
      ["2026-07-28", [["Mcp-Method", "a"]]],
      [undefined, undefined]
    ])
  })
})
