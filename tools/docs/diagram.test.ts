/** The drawing shows every way that was found, and says so when it has no place for one. */
import { expect, test } from "vitest"
import { diagram } from "./diagram.ts"
import { handshake } from "./handshake.ts"

const found = handshake()

test("draws an arrow for each way, and one from outside", () => {
  expect(diagram(found).match(/class="way"/g)).toHaveLength(found.moves.length + 1)
})

test("tells the ways in words as well", () => {
  expect(diagram(found)).toContain("Opened becomes Ready by notifications/initialized.")
})

test("has colours for the dark and asks for nothing from elsewhere", () => {
  const svg = diagram(found)
  expect(svg).toContain("prefers-color-scheme: dark")
  expect(svg.replace('xmlns="http://www.w3.org/2000/svg"', "")).not.toMatch(/https?:|url\((?!#)|<script|@import/)
})

test("refuses a way that it has no place for", () => {
  const moves = [{ from: "Ready" as const, to: "Unopened" as const, by: ["ping"] }]
  expect(() => diagram({ ...found, moves })).toThrow("no place for a way from Ready to Unopened")
})
