/** `parley inspect`: looks at everything, leaves, and then says what was seen. */
import type { Writable } from "node:stream"
import { json } from "./clean.js"
import type { Wishes } from "./command-line.js"
import { diagnose, exitOf } from "./diagnosis.js"
import { documentOf } from "./document.js"
import { page } from "./page.js"
import type { Look } from "./paint.js"
import type { Aftermath } from "./survey.js"
import { survey } from "./survey.js"
import type { Company, Seen } from "./visit.js"
import { visit } from "./visit.js"

export async function inspect(
  wishes: Wishes,
  company: Company,
  seen: Seen,
  look: Look,
  stdout: Writable
): Promise<number> {
  const found = await visit(wishes, company, seen, (visit) =>
    survey(visit, { at: wishes.at, probe: wishes.probe, timeoutMs: wishes.timeoutMs }, company.aside)
  )
  const after: Aftermath = {
    reports: seen.reports,
    stray: seen.transcript!.stray,
    stderr: seen.stderr,
    left: seen.left,
    restarted: seen.restarted,
    trouble: undefined
  }
  const remarks = diagnose(found, after)
  stdout.write(wishes.json ? `${json(documentOf(found, after, remarks))}\n` : `${page(found, remarks, look)}\n`)
  return exitOf(found, after)
}
