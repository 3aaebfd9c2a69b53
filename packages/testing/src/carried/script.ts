/** What a handler is told to do, drawn. */
import type { Choose } from "../chance.js"
import { one } from "../chance.js"
import type { Act } from "./stage.js"

export interface Drawn {
  readonly acts: ReadonlyArray<Act>
  /** Where it will wait. */
  readonly gates: ReadonlyArray<string>
}

/** `tag` names the call, as `stage` does. */
export function script(choose: Choose, tag: string): Drawn {
  const gates: Array<string> = []
  let far = 0
  const acts = Array.from({ length: choose(6) }, (_, at): Act => {
    switch (choose(7)) {
      case 0:
      case 1:
        return ["progress", (far += choose(3))]
      case 2:
        return ["log", one(choose, levels)]
      case 3:
        gates.push(`${tag} ${at}`)
        return ["wait", `${tag} ${at}`]
      case 4:
      case 5:
        return ["ask", one(choose, asks)]
      default:
        return ["once", `${at}`]
    }
  })
  return { acts: [...acts, ["end", one(choose, ends)]], gates }
}

const asks = ["form", "sample", "roots", "page", "page"] as const
const levels = ["debug", "info", "warning", "error"] as const
const ends = ["text", "text", "nothing", "image", "structure", "failed", "thrown", "crooked"] as const
