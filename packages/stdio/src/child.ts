/** A started server: its streams, its last words, and how it left. */
import type { ChildProcess } from "node:child_process"
import type { Readable, Writable } from "node:stream"
import type { CommandOptions } from "./command.js"
import { environment } from "./environment.js"
import type { LastWords } from "./last-words.js"
import { lastWords } from "./last-words.js"
import { died, exited, spelled, unstarted } from "./obituary.js"
import { starter } from "./start.js"
import { tree } from "./tree.js"

export interface Child {
  readonly stdin: Writable
  readonly stdout: Readable
  /** Settles when it has left and the rest of its tree has been ended. */
  readonly swept: Promise<void>
  /** Why it is gone, once that is known: how it left if it leaves now, else `how`. */
  obituary(how: string): Promise<string>
  /** Waits for it to leave, then sees to it; settles when its whole tree is gone. */
  end(graceMs: number): Promise<void>
}

/** Starts it. When it can not be started, now or a moment later, `failed` is told why, once. */
export async function child(
  command: string,
  args: ReadonlyArray<string>,
  options: CommandOptions,
  graceMs: number,
  failed: (detail: string) => void
): Promise<Child | undefined> {
  const env = environment(options.inherit ?? "safe", options.env ?? {})
  const fail = (failure: Error): void => failed(unstarted(failure, command, args, options.cwd, searched(env)))
  const start = await starter()
  let started: ChildProcess
  try {
    started = start(command, args, {
      env,
      cwd: options.cwd,
      stdio: ["pipe", "pipe", "pipe"],
      detached: process.platform !== "win32",
      windowsHide: true
    })
  } catch (failure) {
    queueMicrotask(() => fail(failure as Error))
    return undefined
  }
  started.on("error", (failure) => {
    // On Windows it is an interpreter that started, and did not find the command.
    if (started.pid === undefined || (failure as NodeJS.ErrnoException).code === "ENOENT") fail(failure)
  })
  if (started.pid === undefined) {
    for (const stream of started.stdio) stream?.on("error", ignore)
    return undefined
  }
  started.once("exit", (code, signal) => options.exited?.(code, signal))
  return watched(
    started,
    spelled(command, args),
    listen(started.stderr as Readable, options.stderr),
    tree(started.pid, start),
    graceMs
  )
}

function watched(
  started: ChildProcess,
  name: string,
  words: LastWords,
  group: ReturnType<typeof tree>,
  graceMs: number
): Child {
  const left = new Promise<void>((resolve) => started.once("exit", () => resolve()))
  const silent = new Promise<void>((resolve) => started.once("close", () => resolve()))
  // A server whose leader is dead serves nobody; what is left of its tree would only keep its streams open.
  const swept = left.then(() => group.end(graceMs))

  return {
    stdin: started.stdin as Writable,
    stdout: started.stdout as Readable,
    swept,
    async obituary(how) {
      await within(MOMENT, left)
      if (started.exitCode === null && started.signalCode === null)
        return died(name, `${how} but is still running`, words.lines())
      await within(MOMENT, silent)
      return died(name, exited(started.exitCode, started.signalCode), words.lines())
    },
    async end(ms) {
      await within(ms, left)
      await group.end(ms)
      // The tree may be seen to be gone before this process is told how its child left.
      await within(MOMENT, left)
      // Somebody outside the tree may have inherited the other ends.
      for (const stream of started.stdio) stream?.destroy()
    }
  }
}

function listen(stderr: Readable, to: CommandOptions["stderr"]): LastWords {
  // That nobody reads our stderr any more is no reason to die.
  if (!process.stderr.listeners("error").includes(ignore)) process.stderr.on("error", ignore)
  const words = lastWords(typeof to === "function" ? to : () => {})
  stderr.setEncoding("utf8")
  stderr.on("error", ignore)
  stderr.on("data", (chunk: string) => {
    words.push(chunk)
    if (to === undefined || to === "inherit") process.stderr.write(chunk)
  })
  return words
}

/** Windows spells it `Path`. */
const searched = (env: Readonly<Record<string, string>>): string | undefined =>
  Object.entries(env).find(([name]) => name.toUpperCase() === "PATH")?.[1]

const ignore = (): void => {}

async function within(ms: number, what: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  await Promise.race([what, new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))])
  clearTimeout(timer)
}

/** Long enough for the operating system to say the rest of what has happened already. */
export const MOMENT = 500
