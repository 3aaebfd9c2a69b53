/** Reads what the references of a schema lead to, where that is not a part that has been read as a schema already. */
import type { Declared } from "./declared.js"
import { readSchema } from "./declared.js"

/** A reference may lead under a keyword that is not known. Throws `SchemaRefused`. */
export function readTargets(read: Declared): void {
  // It grows while it is gone through.
  for (const [reference, at] of read.references) readTarget(reference, at, read)
}

/** Whether the other references lead anywhere is for the library to say, which knows about `$id` and `$anchor`. */
function readTarget(reference: string, at: string, read: Declared): void {
  if (!reference.startsWith("#/")) return
  let here: unknown = read.root
  for (const part of reference.slice(2).split("/")) {
    const key = unescaped(part)
    if (typeof here !== "object" || here === null || !Object.hasOwn(here, key)) return
    here = (here as { readonly [key: string]: unknown })[key]
  }
  readSchema(here, at, 0, read)
}

function unescaped(part: string): string {
  let text = part
  try {
    text = decodeURIComponent(part)
  } catch {
    // Not an escape, so it is meant as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~")
}
