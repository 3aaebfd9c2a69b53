/** The level of the server's log: told to it once, or with each request where requests say so (2026-07-28). */
import type { LoggingLevel, Peer, Revision } from "@parley/core"
import { announced } from "@parley/core"
import { CallError } from "./error.js"

/** What is said with each request from now on, unless the level can not be asked for. @throws CallError then */
export function checkLevel(peer: Peer, revision: Revision, level: LoggingLevel): LoggingLevel {
  const method = "logging/setLevel"
  const { capabilities } = peer
  if (!announced(capabilities, "logging"))
    throw new CallError({ _tag: "MethodUndeclared", method, needs: "logging", declared: Object.keys(capabilities) })
  const problem = revision.server["notifications/message"]!.params({ level, data: null })
  if (problem !== undefined) throw new CallError({ _tag: "ParamsInvalid", method, problem })
  return level
}
