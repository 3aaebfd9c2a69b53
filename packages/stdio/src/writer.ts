/** Writes texts as lines: all that are given in one tick go out together, and the giver learns when to wait. */
import type { Outgoing } from "@parley/driver"
import type { Writable } from "node:stream"

export interface Writer {
  /** Accepts a message. A promise means that the stream is congested; it settles when there is room again, or no one to write to. */
  send(out: Outgoing): void | Promise<void>
  /** Settles when the operating system has taken everything, or can take no more, or has taken nothing for `stallMs`. */
  flush(stallMs: number): Promise<void>
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
  let room: Promise<void> | undefined
  let moved: Array<() => void> = []

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
    if (failure != null) fail(failure)
    const waiting = moved
    moved = []
    for (const wake of waiting) wake()
  }

  const fail = (failure: Error): void => {
    if (broken) return
    broken = true
    texts = []
    const waiting = moved
    moved = []
    for (const wake of waiting) wake()
    failed(failure)
  }

  const movement = (): Promise<void> => new Promise((resolve) => moved.push(resolve))

  const untilRoom = async (): Promise<void> => {
    while (congested()) await movement()
    room = undefined
  }

  const congested = (): boolean => !broken && output.writableLength > ROOM
  const unfinished = (): boolean => !broken && unwritten > 0

  output.on("error", fail)
  output.on("close", () => fail(new Error("the output was closed")))

  return {
    send(out) {
      if (broken) return
      const text = out.text === undefined ? JSON.stringify(out.message) : oneLine(out.text)
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
      while (unfinished()) {
        let timer: NodeJS.Timeout | undefined
        const stalled = new Promise<true>((resolve) => {
          timer = setTimeout(() => resolve(true), stallMs)
        })
        const gaveUp = await Promise.race([movement(), stalled])
        clearTimeout(timer)
        if (gaveUp === true) return
      }
    }
  }
}

/** A line end inside given JSON can only be white space between tokens, so a space says the same. */
const oneLine = (text: string): string => (LINE_END.test(text) ? text.replaceAll(LINE_ENDS, " ") : text)

const LINE_END = /[\r\n]/
const LINE_ENDS = /[\r\n]+/g
const LARGE = 16 * 1024
const ROOM = 64 * 1024
