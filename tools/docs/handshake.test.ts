/** What the generated pages say of the handshake is what the machine was seen to do, with its settings told apart. */
import { expect, test } from "vitest"
import type { Situation } from "./handshake.ts"
import { byPolicy, handshake } from "./handshake.ts"

const { words, moves } = handshake()
const outcomes = (name: string, situation: Situation) =>
  words.find((word) => word.name === name)!.outcomes.get(situation)

test("finds the way to Ready, and from everywhere to Closed", () => {
  expect(moves.map(({ from, to }) => `${from} ${to}`)).toEqual([
    "Unopened Opened",
    "Opened Ready",
    "Unopened Closed",
    "Opened Closed",
    "Ready Closed"
  ])
  expect(moves[1]!.by).toEqual(["notifications/initialized"])
})

test("tells the settings apart where they matter, and names none where they do not", () => {
  expect(outcomes("any other request", "Opened")).toEqual([
    { if: 'early: "answer"', said: "answered", to: undefined },
    { if: 'early: "refuse"', said: "-32600", to: undefined }
  ])
  expect(outcomes("initialize, version not spoken", "Unopened")).toEqual([
    { if: 'unsupported: "offer"', said: "answered", to: "Opened" },
    { if: 'unsupported: "refuse"', said: "-32602", to: undefined }
  ])
  expect(outcomes("ping", "Opened")).toEqual([{ if: undefined, said: "answered", to: undefined }])
})

test("a server that stops waits for the handler that runs, and closes with its answer", () => {
  expect(outcomes("Stopping", "Stopping")).toEqual([{ if: undefined, said: "nothing", to: undefined }])
  expect(outcomes("Succeeded, the last in flight", "Stopping")).toEqual([
    { if: undefined, said: "answered", to: "Closed" }
  ])
})

test("news before the client is ready is kept, and not needed before it has asked for anything", () => {
  expect(outcomes("Changed", "Unopened")).toEqual([{ if: undefined, said: "nothing", to: undefined }])
  expect(outcomes("Changed", "Opened")).toEqual([{ if: undefined, said: "kept", to: undefined }])
  expect(outcomes("Changed", "Ready")).toEqual([{ if: undefined, said: "sent", to: undefined }])
})

test("an outcome that hangs on both settings at once can not be told", () => {
  expect(() => byPolicy(({ early, unsupported }) => `${early}${unsupported}`)).toThrow("both settings")
})
