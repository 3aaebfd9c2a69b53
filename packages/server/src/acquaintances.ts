/** Who asks on a channel: said once by `initialize`, or by every request for itself, and then told only when it is somebody else. */
import type { Peer, Report } from "@parley/core"
import type { Session } from "./logger.js"

export interface Acquaintances {
  readonly say: (report: Report) => void
  /** That client has asked for something. */
  readonly met: (peer: Peer) => void
}

/** `opened`: whoever opened the session, if somebody did. */
export function acquaintances(
  report: (report: Report, session: Session) => void,
  number: number,
  opened: () => Peer | undefined
): Acquaintances {
  let last: Peer | undefined
  const known = (peer: Peer): boolean => same(peer, opened()) || same(peer, last)

  function say(said: Report): void {
    // What a request is refused for may be that it does not say who asks: then it is not whoever opened the session.
    if (said._tag === "Refused") return report(said, { number, peer: said.peer ?? last })
    if (said._tag !== "Agreed") return report(said, { number, peer: said.peer ?? opened() ?? last })
    const { peer, wrong } = said
    if (peer !== opened()) {
      // 2026-07-28 server/discover: it may be asked at any time.
      if (known(peer) && wrong.length === 0) return
      last = peer
    }
    report(said, { number, peer })
  }

  return {
    say,
    met: (peer) => {
      if (!known(peer)) say({ _tag: "Agreed", asked: peer.revision, peer, wrong: [] })
    }
  }
}

const same = (one: Peer, other: Peer | undefined): boolean =>
  one === other || (one.revision === other?.revision && JSON.stringify(one.info) === JSON.stringify(other.info))
