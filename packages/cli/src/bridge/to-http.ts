/** `parley bridge -- command`: a server on standard streams, or one behind a WebSocket, is reached over HTTP. */
import type { Listening } from "@parley/http/node"
import { listen } from "@parley/http/node"
import { command } from "@parley/stdio"
import { webSocket } from "@parley/websocket/client"
import { json, line } from "../clean.js"
import type { Aside } from "../aside.js"
import type { Wishes } from "../command-line.js"
import type { ServerAt } from "../server-at.js"
import type { Terminal } from "../terminal.js"
import { Stop } from "../trouble.js"
import { relayHost } from "./host.js"

const GRACE = 1_000
/** Each session has a process of its own. */
const SESSIONS = 100

/** Serves until it is told to stop. */
export async function bridgeToHttp(
  wishes: Wishes,
  at: ServerAt,
  { stdout, version }: Pick<Terminal, "stdout" | "version">,
  aside: Aside,
  stop: AbortSignal
): Promise<number> {
  const say = (text: string): void => aside.say(line(text))
  const relaying = relayHost({
    start: () =>
      at._tag === "Address"
        ? webSocket(at.url, { headers: at.headers, closeMs: GRACE })
        : command(at.command, at.args, {
            env: at.env,
            graceMs: GRACE,
            ...(at.cwd !== undefined && { cwd: at.cwd }),
            stderr: (text) => {
              if (!wishes.quiet) aside.say(`server: ${line(text)}`)
            }
          }),
    say,
    version,
    maxChildren: SESSIONS + 8
  })
  try {
    const { port, host, path, origins, hosts } = wishes.listening
    const listening: Listening = await listen(relaying, {
      maxSessions: SESSIONS,
      crashed: relaying.crashed,
      ...(port !== undefined && { port }),
      ...(host !== undefined && { host }),
      ...(path !== undefined && { path }),
      ...(origins.length > 0 && { allowedOrigins: origins }),
      ...(hosts.length > 0 && { allowedHosts: hosts })
    }).catch((error: unknown) => {
      throw error instanceof Stop ? error : unbound(error)
    })
    const { url } = listening
    const spoken = relaying.modern() ? "all versions" : "versions up to 2025-11-25, as the server does"
    stdout.write(
      wishes.json
        ? `${json({ url, revisions: relaying.server().definition.revisions.map(({ name }) => name) }, 0)}\n`
        : `${url}\n`
    )
    if (!wishes.quiet) say(`The server is reached at this address, in ${spoken}. Ctrl-C ends it.`)
    await stopped(stop)
    await listening.close()
    return 0
  } finally {
    await relaying.close()
  }
}

function unbound(error: unknown): Stop {
  const { code, message } = error as NodeJS.ErrnoException
  if (code === "EADDRINUSE") return new Stop("unopened", message, "give another --port, or none for any that is free")
  return new Stop("unopened", message, "see --host, --port and --path")
}

const stopped = (stop: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (stop.aborted) resolve()
    else stop.addEventListener("abort", () => resolve(), { once: true })
  })
