import { describe, expect, it } from "vitest"
import { lastWords } from "../src/last-words.js"

describe("lastWords", () => {
  it("joins lines cut between chunks and tells each once it is complete", () => {
    const told: Array<string> = []
    const words = lastWords((line) => void told.push(line))
    words.push("one\ntw")
    expect(told).toEqual(["one"])
    words.push("o\r\nthree")
    expect(told).toEqual(["one", "two"])
    expect(words.lines()).toEqual(["one", "two", "three"])
  })

  it("keeps the last twenty that are not blank, shortened", () => {
    const words = lastWords(() => {})
    for (let n = 0; n < 50; n++) words.push(`${n}\n\n`)
    words.push("x".repeat(10_000))
    const lines = words.lines()
    expect(lines.length).toBe(20)
    expect(lines[0]).toBe("31")
    expect(lines.join("\n").length).toBeLessThan(8192)
  })

  it("keeps no terminal sequences, control or direction characters, and tells them as they came", () => {
    const told: Array<string> = []
    const words = lastWords((line) => void told.push(line))
    const red = "\u001b[31mred\u001b[0m \u001b]0;title\u0007\u001b]8;;http://x\u001b\\link\u001b]8;;\u001b\\"
    words.push(`${red}\n\tat a\u202eb\u2066c\u200b\n10%\r20%\u009b2J\u0000!\n\u001b[2J\nopen\u001b]0;cut`)
    expect(words.lines()).toEqual(["red link", "\tat abc", "10% 20% !", "open0;cut"])
    expect(told[0]).toBe(red)
  })

  it("keeps emoji and other scripts as they are", () => {
    const words = lastWords(() => {})
    words.push("\u{1f469}\u200d\u{1f680} caf\u00e9 \u05e9\u05dc\u05d5\u05dd\n")
    expect(words.lines()).toEqual(["\u{1f469}\u200d\u{1f680} caf\u00e9 \u05e9\u05dc\u05d5\u05dd"])
  })

  it("does not collect a line without end for ever", () => {
    const told: Array<string> = []
    const words = lastWords((line) => void told.push(line))
    for (let n = 0; n < 1000; n++) words.push("x".repeat(1000))
    expect(told.length).toBeGreaterThan(10)
    expect(Math.max(...told.map((line) => line.length))).toBeLessThan(70_000)
  })
})
