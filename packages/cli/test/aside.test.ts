/** What is said beside the result. */
import { describe, expect, it } from "vitest"
import { aside } from "../src/aside.js"
import { noPaint } from "../src/paint.js"

function stage(isTTY: boolean, quiet = false) {
  const written: Array<string> = []
  let time = 0
  const stream = { isTTY, write: (text: string) => written.push(text) }
  const said = aside(stream, { width: 60, paint: noPaint, full: true }, { quiet }, () => time)
  return { ...said, text: () => written.join(""), passed: (ms: number) => (time += ms) }
}

const clear = "\r\u001b[K"
const progress = (progress: number, total?: number, message?: string) => ({ progress, total, message })

describe("progress", () => {
  it("is a bar on a terminal, drawn anew, and gone in the end", () => {
    const { progress: tell, doing, text } = stage(true)
    tell(progress(1, 2, "half"))
    tell(progress(2, 2))
    doing(undefined)
    expect(text()).toBe(
      `████████████░░░░░░░░░░░░ 50% (1 of 2) half${clear}████████████████████████ 100% (2 of 2)${clear}`
    )
  })

  it("is a line elsewhere, at most one a second but for the last", () => {
    const { progress: tell, text, passed } = stage(false)
    for (let at = 1; at <= 10; at++) {
      tell(progress(at, 10))
      passed(400)
    }
    tell(progress(11))
    expect(text()).toBe(
      "progress: 10% (1 of 10)\nprogress: 40% (4 of 10)\nprogress: 70% (7 of 10)\nprogress: 100% (10 of 10)\n"
    )
  })

  it("may be more than all, or of nothing", () => {
    const { progress: tell, text } = stage(true)
    tell(progress(3, 2))
    tell(progress(3, 0))
    expect(text()).toContain("100% (3 of 2)")
    expect(text()).toContain("… (3 of 0)")
  })
})

describe("logs", () => {
  it("have their level and logger, in one line, and stand above what goes on", () => {
    const { logged, doing, text } = stage(true)
    doing("listing")
    logged({ level: "info", logger: "db", data: { rows: 3 } })
    logged({ level: "error", data: "two\nlines\u001b[2J" })
    expect(text()).toBe(`listing${clear}[info] db: {"rows":3}\nlisting${clear}[error] two lines\nlisting`)
  })

  it("are left out with --quiet, and end where they do not end", () => {
    const { logged, text } = stage(true, true)
    logged({ level: "info", data: "x" })
    expect(text()).toBe("")
    const loud = stage(false)
    for (let at = 0; at < 2_000; at++) loud.logged({ level: "info", data: at })
    expect(loud.text().split("\n")).toHaveLength(1_002)
    expect(loud.text()).toContain("(the server goes on; more than 1000 lines are not shown)")
  })
})

it("waits while somebody answers a question", () => {
  const { say, hush, text } = stage(false)
  hush(true)
  say("later")
  expect(text()).toBe("")
  hush(false)
  expect(text()).toBe("later\n")
})
