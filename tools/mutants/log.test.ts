/** A run that was stopped goes on from what it wrote. */
import { appendFileSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { isKnown, readLog, writeVerdict } from "./log.mjs"

const mutant = { id: "a.ts f: if never: x", digest: "0123456789abcdef".repeat(4) }
const killed = { killed: true, by: "a test", test: "a.test.ts" }

test("without a log nothing is known", () => {
  expect(readLog(join(folder(), "none/log.jsonl"))).toEqual(new Map())
})

test("what was killed is known for as long as its file has the same text", () => {
  const path = join(folder(), "new/log.jsonl")
  writeVerdict(path, mutant, killed, 7)
  const log = readLog(path)
  expect(log.get(mutant.id)).toMatchObject({ killed: true, by: "a test", test: "a.test.ts", ms: 7 })
  expect(isKnown(log, mutant)).toBe(true)
  expect(isKnown(log, { ...mutant, digest: "f".repeat(64) })).toBe(false)
  expect(isKnown(log, { ...mutant, id: "another" })).toBe(false)
})

test("what survived is run again, and the last verdict holds", () => {
  const path = join(folder(), "log.jsonl")
  writeVerdict(path, mutant, { killed: false, by: "3 files of tests come by" }, 7)
  expect(isKnown(readLog(path), mutant)).toBe(false)
  writeVerdict(path, mutant, killed, 7)
  expect(isKnown(readLog(path), mutant)).toBe(true)
})

test("a line that was cut short when the run was stopped is left out", () => {
  const path = join(folder(), "log.jsonl")
  writeVerdict(path, mutant, killed, 7)
  appendFileSync(path, '{"id":"another","dig')
  expect([...readLog(path).keys()]).toEqual([mutant.id])
})

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "parley-mutants-"))
  onTestFinished(() => rmSync(path, { recursive: true }))
  return path
}
