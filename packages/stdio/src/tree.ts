/** Ends a whole process tree: politely, then not, and also when this process leaves without having said so. */
import { readFileSync, readdirSync } from "node:fs"
import type { Start } from "./start.js"

export interface Tree {
  /** Asks every process of the tree to stop, waits, then kills; settles when none is left, at the latest a second after the kill. */
  end(graceMs: number): Promise<void>
}

/**
 * The tree under a process that was spawned as the leader of its own group. On Windows, which has no such groups, the tree is
 * what descends from the process as long as that one lives.
 */
export function tree(pid: number, start: Start): Tree {
  const signal = signaller(pid, start)
  watch(signal)
  let ending: Promise<void> | undefined

  const end = async (graceMs: number): Promise<void> => {
    if (signal("SIGTERM")) await gone(pid, signal, graceMs)
    if (signal("SIGKILL")) await gone(pid, signal, AFTER_KILL)
    unwatch(signal)
  }
  return { end: (graceMs) => (ending ??= end(graceMs)) }
}

/** False when there is nobody left to signal; with 0 it only asks. */
type Signal = (name: "SIGTERM" | "SIGKILL" | 0) => boolean

const signaller =
  (pid: number, start: Start): Signal =>
  (name) => {
    try {
      if (process.platform !== "win32") return process.kill(-pid, name)
      process.kill(pid, 0)
      if (name !== 0) start("taskkill", ["/PID", String(pid), "/T", "/F"], QUIETLY).on("error", () => {})
      return true
    } catch {
      return false
    }
  }

const QUIETLY = { stdio: "ignore", windowsHide: true } as const

/** Nobody tells when the last of a group has left, so it is asked, less and less often. */
async function gone(pid: number, signal: Signal, ms: number): Promise<void> {
  for (let left = ms, wait = 5; left > 0 && peopled(pid, signal); left -= wait) {
    wait = Math.min(wait * 2, 100, left)
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}

/** The dead whom no one buries (orphans in a container without an init process) still take signals, but do not count. */
function peopled(pid: number, signal: Signal): boolean {
  if (!signal(0)) return false
  if (process.platform !== "linux") return true
  try {
    return readdirSync("/proc").some((name) => /^\d+$/.test(name) && lives(name, pid))
  } catch {
    return true
  }
}

function lives(name: string, group: number): boolean {
  try {
    const stat = readFileSync(`/proc/${name}/stat`, "latin1")
    // The name in parentheses may hold anything; after it come state, parent and group.
    const [state, , itsGroup] = stat.slice(stat.lastIndexOf(")") + 2).split(" ")
    return Number(itsGroup) === group && state !== "Z" && state !== "X"
  } catch {
    return false
  }
}

const AFTER_KILL = 1000

const watched = new Set<Signal>()

function watch(signal: Signal): void {
  watched.add(signal)
  if (watched.size > 1) return
  process.on("exit", killAll)
  for (const name of SIGNALS) process.on(name, interrupted)
}

function unwatch(signal: Signal): void {
  if (!watched.delete(signal) || watched.size > 0) return
  process.off("exit", killAll)
  for (const name of SIGNALS) process.off(name, interrupted)
}

function killAll(): void {
  for (const signal of watched) signal("SIGKILL")
}

/** The group of a server is not the terminal's, so an interrupted client has to take it along. A program that handles signals decides itself. */
function interrupted(name: NodeJS.Signals): void {
  if (process.listenerCount(name) > 1) return
  killAll()
  process.off(name, interrupted)
  process.kill(process.pid, name)
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const
