/** A channel to a server that is started again when it was killed: what a supervisor does that holds the client's connection. */
import type { Channel, ChannelEvents, Outgoing } from "@parley/driver"
import type { ChildProcess } from "node:child_process"
import { spawn } from "node:child_process"
import { createInterface } from "node:readline"
import type { Heard } from "./hears.js"
import { hears } from "./hears.js"

export interface Restarting {
  readonly channel: Channel
  /** Ends the process from one moment to the next, and starts it again over the same files. */
  readonly kill: (env?: Readonly<Record<string, string>>) => Promise<void>
  /** Resolves with the next line of the present process's stderr that begins so. */
  readonly line: (start: string) => Promise<string>
  readonly kills: () => number
}

export function restarting(path: string, env: Readonly<Record<string, string>>): Restarting {
  let events: ChannelEvents | undefined
  let child: ChildProcess
  let stderr: Heard
  let kills = 0
  const started = (more: Readonly<Record<string, string>>): void => {
    child = spawn(process.execPath, [path], { env: { ...env, ...more }, stdio: "pipe" })
    stderr = hears(child.stderr)
    child.stdin!.on("error", () => undefined)
    createInterface({ input: child.stdout! }).on("line", (text) => {
      void events?.frame({ _tag: "Text", text, via: "stdio" })
    })
  }
  const exit = async (signal: "SIGKILL" | undefined): Promise<void> => {
    const gone = new Promise((resolve) => child.once("close", resolve))
    if (signal === undefined) child.stdin!.end()
    else child.kill(signal)
    await gone
  }
  const channel: Channel = {
    cancels: "message",
    open: (on) => {
      events = on
      started(env)
    },
    send: ({ message, text }: Outgoing) => void child.stdin!.write(`${text ?? JSON.stringify(message)}\n`),
    abort: () => undefined,
    close: async () => {
      await exit(undefined)
      events?.closed({ _tag: "Closed" })
      events = undefined
    }
  }
  return {
    channel,
    kill: async (more = {}) => {
      await exit("SIGKILL")
      kills++
      started({ HALT: "", ...more })
      await stderr.line("started")
    },
    line: (start) => stderr.line(start),
    kills: () => kills
  }
}
