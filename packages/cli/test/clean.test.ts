/** What strangers write, made safe to print. */
import { describe, expect, it } from "vitest"
import { block, brief, line } from "../src/clean.js"

const escape = "\u001b"

describe("line", () => {
  it.each([
    ["a colour", `${escape}[1;31mred${escape}[0m`, "red"],
    ["a moved cursor and an erased screen", `${escape}[2J${escape}[1;1Htop`, "top"],
    ["a window title, ended by a bell", `${escape}]0;owned\u0007text`, "text"],
    ["a written clipboard, ended by ST", `${escape}]52;c;ZXZpbA==${escape}\\text`, "text"],
    ["a link", `${escape}]8;;https://evil.example${escape}\\here${escape}]8;;${escape}\\`, "here"],
    ["the same in single control characters", "\u009b31mred", "red"],
    ["a sequence without end", `a${escape}]0;never`, "a0;never"],
    ["a full reset", `${escape}cx`, "x"],
    ["a backspace and a carriage return", "ab\bc\rd", "abc d"],
    ["a turned direction", "\u202egnp.exe", "gnp.exe"],
    ["invisible letters", "a\u200bb\u{e0041}c\ufeff", "abc"],
    ["line ends", " a\r\n\tb  c\n", "a b c"]
  ])("takes out %s", (_, given, plain) => {
    expect(line(given)).toBe(plain)
  })

  it("leaves letters of every language and emoji made of several", () => {
    const text = "Größe 日本語 עברית 👩‍👩‍👧 🇫🇷"
    expect(line(text)).toBe(text)
  })
})

it("takes no longer for text made to take long", () => {
  expect(block("\u001b]".repeat(200_000)).length).toBeLessThan(200_001)
  expect(block("\u001b[".repeat(200_000) + "0".repeat(200_000)).length).toBeGreaterThan(0)
})

it("shows in brief what is no text", () => {
  expect(brief({ a: [1, "b"] })).toBe(`{"a":[1,"b"]}`)
  expect(brief(undefined)).toBe("")
})
