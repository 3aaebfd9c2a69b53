/** Serves a declared server over a channel. */
import type { Channel, Closed } from "@parley/driver"
import { known } from "./declared.js"
import type { Server } from "./define.js"
import type { Hosted } from "./host.js"
import { host } from "./host.js"
import type { Live } from "./live.js"
import type { ClientNotification, ServeOptions } from "./serve-options.js"
import { serveOptions } from "./serve-options.js"

export type { ClientNotification, ServeOptions }

export interface Serving {
  /**
   * Settles when the session is over and the channel closed. Rejects, with the channel closed and nothing sent, when the server
   * can not start because a schema was refused; the error names the tool. A program that does not look at it should not go on
   * as if it served: Node ends it with that error on stderr and code 1.
   */
  readonly closed: Promise<Closed>
  /** Takes no further requests, answers those that were accepted (within `drainMs`), and closes. Rejects when `closed` does. */
  readonly close: () => Promise<void>
  /** Tells this client that a page it was asked to send its user to was visited; nothing when it was not asked, and since 2026-07-28. */
  readonly completed: (elicitationId: string) => void
}

/**
 * Serves until the client goes, or `close` is called. What was accepted before the end of the input is still answered. While the
 * client does not read, progress is left out, of what changed and was updated it hears once it reads again, and logs are left
 * out beyond 4 MiB. What the functions among the options throw ends nothing: `console.error` tells of it.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { defineServer, serve } from "@parley/server"
 *
 * const [near] = link()
 * const serving = serve(defineServer({ name: "empty", version: "1.0.0" }, []), near)
 * await serving.close()
 * ```
 *
 * @throws TypeError for an option that is none, or is of another kind, and as `sealer` does
 */
export function serve(subject: Server | Live, channel: Channel, options: ServeOptions = {}): Serving {
  known("serve", options, serveOptions)
  const hosting = host(subject, options)
  let hosted: Hosted | undefined
  let stopped = false
  const closed = hosting.ready
    .then(() => {
      hosted = hosting.serve(channel, { session: options.session })
      if (stopped) hosted.feed({ _tag: "Stopping" })
      return hosted.closed
    })
    .catch(async (error: unknown) => {
      await channel.close("the server could not start")
      throw error
    })
  return {
    closed,
    close: async () => {
      stopped = true
      hosted?.feed({ _tag: "Stopping" })
      await closed
    },
    completed: (elicitationId) => hosted?.completed(elicitationId)
  }
}
