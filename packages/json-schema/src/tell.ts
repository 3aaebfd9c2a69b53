/** Tells what is wrong with a value that a simple schema refuses: a second, slower look at it. */
import { allow, bounds, exhausted } from "./bounds.js"
import { oddity } from "./oddity.js"
import type { Found, Judge } from "./simple.js"
import type { Issue } from "./validator.js"
import { unfit } from "./wording.js"

/** At least one issue and at most `bounds.issues`, as the library would tell them. */
export function tell(judge: Judge, value: unknown): ReadonlyArray<Issue> {
  const odd = oddity(value)
  if (odd?.tooLarge === false) return [{ path: odd.path, message: odd.message }]
  const found: Array<Found> = []
  allow(bounds.work / 16)
  try {
    judge(value, found, "")
  } catch (error) {
    // That the value is wrong is known: what has been found until here is told.
    if (error !== exhausted) throw error
  }
  if (found.length === 0) return [{ path: "", message: unfit }]
  return found.map(({ path, message }) => ({ path, message }))
}
