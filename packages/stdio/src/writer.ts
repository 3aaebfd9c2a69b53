/** Writes texts as lines: all that are given in one tick go out together, and the giver learns when to wait. */
import type { Outgoing } from "@parley/driver"
import type { Writable } from "node:stream"

export interface Writer {
  /**
   * Accepts a message. A promise means that the stream is congested; it settles when there is room again, or no one to write to.
   * Throws, with nothing accepted, when the message is no JSON.
   */
  send(out: Outgoing): void | Promise<void>
  /** Settles when the operating system has taken everything, or can take no more, or has taken nothing for `stallMs`. */
  flush(stallMs: number): Promise<void>
  /** True once something waits and nothing of it was taken for `stallMs`; false once `enough` says so, or nothing can be written. */
  stalled(stallMs: number, enough: () => boolean): Promise<boolean>
}

/** `write` stands for the stream's own when that one is guarded. `failed` is called once, when nothing can be written any more. */
export function writer(
  output: Writable,
  failed: (failure: Error) => void,
  write: Writable["write"] = output.write.bind(output)
): Writer {
  let texts: Array<string> = []
  let size = 0
  let scheduled = false
  let broken = false
  let unwritten = 0
  let finished = 0
  let room: Promise<void> | undefined
  const moved: Array<() => void> = []

  const writeOut = (): void => {
    scheduled = false
    if (broken) return
    const given = texts
    texts = []
    size = 0
    let small = ""
    for (const text of given) {
      if (text.length < LARGE) small += text + "\n"
      else {
        // A large text goes out as it is: to append its line end would copy it.
        if (small !== "") put(small)
        put(text)
        small = "\n"
      }
    }
    if (small !== "") put(small)
  }

  const put = (text: string): void => {
    if (broken) return
    unwritten++
    write.call(output, text, "utf8", written)
  }

  const written = (failure?: Error | null): void => {
    unwritten--
    finished++
    if (failure != null) fail(failure)
    wakeAll()
  }

  const wakeAll = (): void => moved.splice(0).forEach((wake) => wake())

  const fail = (failure: Error): void => {
    if (broken) return
    broken = true
    texts = []
    wakeAll()
    failed(failure)
  }

  const untilRoom = async (): Promise<void> => {
    while (congested()) await movement()
    room = undefined
  }

  /** Settles when something was taken, or nothing can be any more, and no later than in `ms`. */
  const movement = (ms?: number): Promise<void> =>
    new Promise((resolve) => {
      const timer = ms === undefined ? undefined : setTimeout(resolve, ms)
      moved.push(() => {
        clearTimeout(timer)
        resolve()
      })
    })

  const stalled = async (stallMs: number, enough: () => boolean): Promise<boolean> => {
    let looks = 0
    while (able() && !enough()) {
      const [finishedBefore, queuedBefore] = [finished, queued(output)]
      await movement(stallMs / LOOKS)
      const still = unwritten > 0 && finished === finishedBefore && queued(output) === queuedBefore
      looks = still ? looks + 1 : 0
      if (looks === LOOKS) return true
    }
    return false
  }

  const able = (): boolean => !broken
  const congested = (): boolean => !broken && output.writableLength > ROOM

  output.on("error", fail)
  output.on("close", () => fail(new Error("the output was closed")))

  return {
    send(out) {
      if (broken) return
      const text = textOf(out)
      texts.push(text)
      size += text.length
      if (size >= ROOM) writeOut()
      else if (!scheduled) {
        scheduled = true
        process.nextTick(writeOut)
      }
      if (!congested()) return
      return (room ??= untilRoom())
    },
    async flush(stallMs) {
      writeOut()
      await stalled(stallMs, () => unwritten === 0)
    },
    stalled
  }
}

/** What goes on the line. Throws when the message is no JSON. */
export function textOf(out: Outgoing): string {
  if (out.text !== undefined) return oneLine(out.text)
  const text: string | undefined = JSON.stringify(out.message)
  if (text === undefined) throw new TypeError("The message is no JSON: its toJSON gives nothing")
  return text
}

/** What of a write under way the operating system has not taken: a large one is taken in parts, of which no callback tells. */
const queued = (output: Writable): number =>
  (output as { readonly _handle?: { readonly writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0

/** A line end inside given JSON can only be white space between tokens, so a space says the same. */
const oneLine = (text: string): string => (LINE_END.test(text) ? text.replaceAll(LINE_ENDS, " ") : text)

const LINE_END = /[\r\n]/
const LINE_ENDS = /[\r\n]+/g
const LARGE = 16 * 1024
const ROOM = 64 * 1024
/** How often, in the time of a stall, is looked for movement. */
const LOOKS = 10
