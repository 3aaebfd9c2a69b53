/** One of a server's connections: its session is let go of while nothing is under way, and gone on with when something comes. */
import type { ServerState } from "@parley/core/server"
import type { Host, Hosted, Voice } from "@parley/server/host"
import type { Line } from "../line/line.js"
import type { Came, Manner } from "../line/socket-channel.js"
import { SocketChannel } from "../line/socket-channel.js"

/** What all connections of one server have in common. */
export interface Served extends Manner {
  readonly host: Host
  /** Whether there is somebody to report to. */
  readonly reports: boolean
  /** Told of one whose session is there whole from now on. */
  readonly woke: (connection: Connection) => void
}

/** Whose connections are counted together. */
export interface Owner {
  readonly client: string
  count: number
}

export class Connection extends SocketChannel {
  readonly owner: Owner | undefined
  readonly #served: Served
  #hosted: Hosted | undefined
  /** Where to go on from. */
  #state: ServerState | undefined
  /** The same for all of the connection, where it is heard. */
  #voice: Voice | undefined

  constructor(line: Line, served: Served, came: Came, owner: Owner | undefined) {
    super(line, served, came.principal === undefined && came.context === undefined ? undefined : came)
    this.#served = served
    this.owner = owner
  }

  /** Its session, which is there from then on. */
  session(): Hosted {
    if (this.#hosted === undefined) {
      const { host, reports } = this.#served
      if (reports) this.#voice ??= host.voice()
      this.#hosted = host.serve(this, { state: this.#state, voice: this.#voice })
      this.#state = undefined
      this.#served.woke(this)
    }
    return this.#hosted
  }

  get dozes(): boolean {
    return this.#hosted === undefined
  }

  /** Keeps nothing but the state, where nothing is under way: most connections are idle most of the time. Says whether it does. */
  doze(): boolean {
    const hosted = this.#hosted
    if (hosted === undefined || !this.quiet || hosted.congested() || !isIdle(hosted.state())) return false
    if (!hosted.rest()) return false
    this.#state = hosted.state()
    this.#hosted = undefined
    this.rest()
    return true
  }

  protected override wake(): void {
    this.session()
  }
}

const isIdle = ({ phase, inFlight, batches, stopping }: ServerState): boolean =>
  phase._tag !== "Closed" && inFlight.size === 0 && batches.open.size === 0 && !stopping
