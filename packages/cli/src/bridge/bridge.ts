/** `parley bridge`: whichever way the server is reached, clients reach it the other way. */
import type { Aside } from "../aside.js"
import type { Wishes } from "../command-line.js"
import { isSocket } from "../server-at.js"
import type { Terminal } from "../terminal.js"
import { bridgeToHttp } from "./to-http.js"
import { bridgeToStdio } from "./to-stdio.js"

/** Settles with the exit code when the bridge is closed. */
export const bridge = (
  wishes: Wishes,
  terminal: Pick<Terminal, "stdin" | "stdout" | "version">,
  aside: Aside,
  stop: AbortSignal
): Promise<number> =>
  wishes.at._tag === "Command" || (isSocket(wishes.at) && Object.values(wishes.listening).some(isGiven))
    ? bridgeToHttp(wishes, wishes.at, terminal, aside, stop)
    : bridgeToStdio(wishes.at, terminal, aside, stop)

/** Whoever says where the bridge is to be reached wants it on HTTP. */
const isGiven = (one: unknown): boolean => one !== undefined && (one as ReadonlyArray<string>).length !== 0
