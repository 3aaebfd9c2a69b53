/** Opens a session over a channel, or over a second one where the server ended when it was asked what it speaks. */
import type { Revision } from "@parley/core"
import type { Prior } from "@parley/core/client"
import type { Channel } from "@parley/driver"
import { CallError } from "./error.js"
import type { Opened, Session, SessionOptions } from "./session.js"
import { session } from "./session.js"

/** `began` is told of the session that is about to open, before anything comes of it. Rejects with its channel closed. */
export async function opening(
  channel: Channel | (() => Channel),
  options: SessionOptions,
  began: (session: Session) => void
): Promise<Session & { readonly agreed: Opened }> {
  const again = typeof channel === "function" ? channel : undefined
  const open = async (channel: Channel, prior: Prior | undefined) => {
    const opening = session(channel, { ...options, prior })
    began(opening)
    const agreed = await opening.opened.catch(async (error: unknown) => {
      await opening.closed
      throw error
    })
    return { ...opening, agreed }
  }
  try {
    return await open(again === undefined ? (channel as Channel) : again(), options.prior)
  } catch (error) {
    const { revisions, prefer = "newest" } = options.definition
    const speaks = (by: Revision["opening"]): boolean =>
      revisions.some(({ name, opening }) => opening === by && (!prefer.includes("-") || name === prefer))
    // With one way of opening there is no other to try.
    if (!speaks("handshake") || !speaks("request") || !(error instanceof CallError)) throw error
    const { reason } = error
    if (reason._tag !== "Closed") throw error
    if (options.prior?._tag === "Handshake" && reason.method === "initialize") {
      // What was remembered may hold no longer: the server is asked, where there is a channel to ask by.
      if (again !== undefined) return open(again(), undefined)
      throw new CallError({ _tag: "Closed", method: reason.method, why: `${remembered}; ${reason.why}` })
    }
    if (reason.method !== "server/discover") throw error
    // There are servers of older revisions that end on whatever comes before initialize.
    if (again !== undefined) return open(again(), { _tag: "Handshake" })
    throw new CallError({
      _tag: "Closed",
      method: reason.method,
      why: `${reason.why}${reason.why.includes("\n") ? "\n" : ". "}${advice}`
    })
  }
}

const remembered =
  "the server was opened as what it was remembered to be (`prior`), which may hold no longer: connect again without it"

const advice =
  'There are servers of older revisions that end on this question: for one of those give connect a function that makes the channel, such as () => command("..."), or prefer: "2025-11-25"'
