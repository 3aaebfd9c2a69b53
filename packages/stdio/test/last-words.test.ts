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

  it("does not collect a line without end for ever", () => {
    const told: Array<string> = []
    const words = lastWords((line) => void told.push(line))
    for (let n = 0; n < 1000; n++) words.push("x".repeat(1000))
    expect(told.length).toBeGreaterThan(10)
    expect(Math.max(...told.map((line) => line.length))).toBeLessThan(70_000)
  })
})
