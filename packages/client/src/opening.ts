/** Opens a session over a channel, or over a second one where the server ended when it was asked what it speaks. */
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
    const opening = session(channel, prior === undefined ? options : { ...options, prior })
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
    const older = revisions.some(
      ({ name, opening }) => opening === "handshake" && (!prefer.includes("-") || name === prefer)
    )
    if (!older || !(error instanceof CallError)) throw error
    const { reason } = error
    if (reason._tag !== "Closed" || reason.method !== "server/discover") throw error
    // There are servers of older revisions that end on whatever comes before initialize.
    if (again !== undefined) return open(again(), { _tag: "Handshake" })
    throw new CallError({
      _tag: "Closed",
      method: reason.method,
      why: `${reason.why}${reason.why.includes("\n") ? "\n" : ". "}${advice}`
    })
  }
}

const advice =
  'There are servers of older revisions that end on this question: for one of those give connect a function that makes the channel, such as () => command("..."), or prefer: "2025-11-25"'
