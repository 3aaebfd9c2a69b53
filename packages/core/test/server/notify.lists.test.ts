/** A list that changed is announced when that was promised, as soon as the client may hear of it. */
import { describe, expect, it } from "vitest"
import { define, everything, initialize, initialized, ready, revisionNames, send, session } from "./by-hand.js"

const changed = (...families: ReadonlyArray<"tools" | "resources" | "prompts">) =>
  ({ _tag: "Changed", families }) as const
const notice = (family: string) =>
  send({ jsonrpc: "2.0", method: `notifications/${family}/list_changed` }, undefined, false)

describe("a change", () => {
  it.each(revisionNames)("is announced on %s for each family, on the session's own stream", (revision) => {
    expect(ready(revision, define(everything)).tell(changed("tools", "resources", "prompts"))).toEqual(
      ["tools", "resources", "prompts"].map((family) => ({ ...notice(family), via: undefined }))
    )
  })

  it("is not announced without the promise", () => {
    for (const capabilities of [{}, { tools: {} }, { tools: { listChanged: false } }])
      expect(ready("2025-11-25", define(capabilities)).tell(changed("tools"))).toEqual([])
    expect(ready("2025-11-25", define({ prompts: { listChanged: true } })).tell(changed("tools"))).toEqual([])
  })

  it.each(revisionNames)("of what there is no list of on %s is not announced", (revision) => {
    for (const family of ["roots", "tasks", "constructor"])
      expect(ready(revision, define(everything)).tell(changed(family as "tools"))).toEqual([])
  })

  it("before the opening is not announced: the list is current", () => {
    const by = session(define(everything))
    expect(by.tell(changed("tools"))).toEqual([])
    by.hear(initialize("2025-11-25"))
    expect(by.hear(initialized)).toEqual([])
  })

  it("between the initialize result and notifications/initialized waits for the latter, and comes once", () => {
    const by = session(define(everything))
    by.hear(initialize("2025-11-25"))
    expect(by.tell(changed("tools"))).toEqual([])
    expect(by.tell(changed("tools", "prompts"))).toEqual([])
    expect(by.hear(initialized)).toEqual([
      { ...notice("tools"), via: undefined },
      { ...notice("prompts"), via: undefined }
    ])
    expect(by.hear(initialized)).toMatchObject([{ _tag: "Report" }])
  })
})
