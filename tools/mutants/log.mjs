/** What was found of each mutant, a line each as it is found: a run that was stopped is resumed, and the next one knows who notices. */
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs"
import { dirname } from "node:path"

/** The last verdict of each mutant, by its id; none where there is no such file. A last line that was cut short is left out. */
export function readLog(path) {
  const found = new Map()
  if (!existsSync(path)) return found
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const verdict = parsed(line)
    if (verdict !== undefined) found.set(verdict.id, verdict)
  }
  return found
}

/** Of a mutant of this text of its file. `by` is the test, `test` its file. */
export function writeVerdict(path, { id, digest }, { killed, by, test }, ms) {
  mkdirSync(dirname(path), { recursive: true })
  const verdict = { id, digest: digest.slice(0, 16), killed, by, test, ms }
  appendFileSync(path, JSON.stringify(verdict) + "\n")
}

/** Whether it was killed when its file had the same text. A survivor is run again: a test may have come. */
export function isKnown(log, { id, digest }) {
  const verdict = log.get(id)
  return verdict !== undefined && verdict.killed && verdict.digest === digest.slice(0, 16)
}

function parsed(line) {
  try {
    const verdict = JSON.parse(line)
    return typeof verdict?.id === "string" ? verdict : undefined
  } catch {
    return undefined
  }
}
