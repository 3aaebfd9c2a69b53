/** What servers ask, answered at a terminal by somebody who types. */
import { describe, expect, it } from "vitest"
import { fixture, official, parley } from "./stage.js"

const dinner = ["call", "dinner", ...fixture("sdk-1")]

describe("a form", () => {
  it("is filled in field by field, and asked again where an answer does not fit", async () => {
    const { code, stdout, stderr } = await parley(dinner, {
      types: [
        ["  > ", ""],
        ["required", "many"],
        ["type a number", "13"],
        ["it must be from 1 to 12", "4"],
        ["Send this?", "y"]
      ].map(([when, line]) => [when!, line!] as const)
    })
    expect(stderr).toContain("sdk-1 asks you to fill in a form\n  How many come to dinner?")
    expect(stderr).toContain("Guests (guests) required  a whole number, from 1 to 12")
    expect([code, stdout]).toEqual([0, `{"action":"accept","content":{"guests":4}}\n`])
  })

  it("is sent only with consent, and can be edited before", async () => {
    const { stdout } = await parley(dinner, {
      types: [
        ["  > ", "4"],
        ["Send this?", "e"],
        ["[4] > ", "5"],
        ["Send this?", "y"]
      ]
    })
    expect(stdout).toBe(`{"action":"accept","content":{"guests":5}}\n`)
  })

  it.each([
    [":d", "decline"],
    [":c", "cancel"]
  ])("is ended by %s", async (typed, action) => {
    expect((await parley(dinner, { types: [["  > ", typed]] })).stdout).toBe(`{"action":"${action}"}\n`)
  })

  it("is declined at once where there is no terminal, which is said", async () => {
    const { stdout, stderr } = await parley(dinner)
    expect(stdout).toBe(`{"action":"decline"}\n`)
    expect(stderr).toContain("asked you to fill in a form (How many come to dinner?). It was declined")
  })

  it("is given up by Ctrl-C, which withdraws the call", async () => {
    const { code, stderr } = await parley(dinner, { types: [["  > ", "^C"]] })
    expect(code).toBe(130)
    expect(stderr).toContain("Interrupted: the server is told.")
  })

  it("is refused where it was not declared", async () => {
    const [call, ...rest] = dinner
    const { code, stdout } = await parley([call!, "--client-capabilities", "none", ...rest])
    expect(code).toBe(1)
    expect(stdout).toContain("does not support")
  })
})

describe("what a server asks inside a result", () => {
  const modern = ["--", ...fixture("sdk-2-eras").slice(1), "modern"]

  it("is a form like any other, and the call goes on with its answer", async () => {
    const { code, stdout, stderr } = await parley(["call", "dinner", ...modern], {
      types: [
        ["  > ", "13"],
        ["it must be from 1 to 12", "4"],
        ["Send this?", "y"]
      ]
    })
    expect(stderr).toContain("sdk-2-eras asks you to fill in a form\n  How many come to dinner?")
    expect([code, stdout]).toEqual([0, "4 come\n"])
  })

  it("may be declined, of which the server hears", async () => {
    const { stdout } = await parley(["call", "dinner", ...modern], { types: [["  > ", ":d"]] })
    expect(stdout).toBe("nobody comes\n")
  })

  it("ends the call where it can not be answered, and what to do is said", async () => {
    const { code, stderr } = await parley(["call", "muse", "--allow-sampling", ...modern])
    expect(code).toBe(4)
    expect(stderr).toContain('the server asks for "verse" first, and that was refused')
    expect(stderr).toContain("answer it at a terminal")
  })

  it("is not asked of a client that did not declare it, and the server says what is missing", async () => {
    const { code, stdout } = await parley(["call", "muse", "--json", ...modern])
    expect(code).toBe(4)
    expect(JSON.parse(stdout)).toMatchObject({
      error: { code: -32021, remedy: "declare what it needs: --client-capabilities sampling" }
    })
  })
})

describe("a page to visit", () => {
  const visit = (url: string): ReadonlyArray<string> => [
    "call",
    "trigger-url-elicitation",
    `url=${url}`,
    ...official("server-everything")
  ]

  it("is shown whole with its host, and is not opened", async () => {
    const { stdout, stderr } = await parley(visit("https://user@ex\u0430mple.com/pay?x=1"), {
      types: [["Will you visit it?", "y"]]
    })
    expect(stderr).toContain("  address  https://user@xn--exmple-4nf.com/pay?x=1\n  host     xn--exmple-4nf.com\n")
    expect(stderr).toContain("The part before the @ is not the host.")
    expect(stderr).toContain("The host is written in letters that can look like others.")
    expect(stderr).toContain("Nothing is opened or fetched for you")
    expect(stdout).toContain("accept")
  })

  it("is declined by a no", async () => {
    const { stdout } = await parley(visit("http://example.com/"), { types: [["Will you visit it?", "d"]] })
    expect(stdout).toContain("decline")
  })
})

describe("a text from a model", () => {
  const sample = ["trigger-sampling-request", "prompt=six by seven", ...official("server-everything")]

  it("is written by the person where that was allowed", async () => {
    const { stdout, stderr } = await parley(["call", "--allow-sampling", ...sample], {
      types: [
        ["  > ", "42,"],
        ["  > ", "I think"],
        ["  > ", "."]
      ]
    })
    expect(stderr).toContain("Resource trigger-sampling-request context: six by seven")
    expect(stdout).toContain(`"text": "42,\\nI think"`)
  })

  it("is refused where it was declared and not allowed", async () => {
    const { stderr } = await parley(["call", "--client-capabilities", "sampling", ...sample], { types: [] })
    expect(stderr).toContain("It was refused: --allow-sampling lets you write one.")
  })

  it("is not even on offer by default", async () => {
    const { code, stderr } = await parley(["call", ...sample])
    expect(code).toBe(4)
    expect(stderr).toContain("The server lists no tool trigger-sampling-request")
  })
})
