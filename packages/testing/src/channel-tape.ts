/** What the contract of channels is judged with: messages that can be told apart, and a record of what a channel handed up. */
import type { Message } from "@parley/core"
import type { Channel, Closed, Frame, Outgoing } from "@parley/driver"

export interface Tape {
  /** Everything handed up so far, in order. */
  readonly log: ReadonlyArray<Frame | Closed>
  /** The first `count` frames, once there are so many. */
  frames(count: number): Promise<ReadonlyArray<Frame>>
  /** The first end it was told. */
  closed(): Promise<Closed>
}

/** Opens a channel and records; `handle` is how long each frame takes. */
export function listen(channel: Channel, handle: (frame: Frame) => void | Promise<void> = () => {}): Tape {
  const log: Array<Frame | Closed> = []
  let waiting: Array<() => void> = []
  const record = (entry: Frame | Closed): void => {
    log.push(entry)
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  channel.open({
    frame(frame) {
      record(frame)
      return handle(frame)
    },
    closed: record
  })
  const until = async <A>(what: string, look: () => A | undefined): Promise<A> => {
    for (;;) {
      const seen = look()
      if (seen !== undefined) return seen
      await bounded(
        new Promise<void>((resolve) => waiting.push(resolve)),
        `${what} did not come; so far: ${brief(log)}`
      )
    }
  }
  return {
    log,
    frames: (count) =>
      until(`frame ${count}`, () => {
        const frames = log.filter(isFrame)
        return frames.length < count ? undefined : frames.slice(0, count)
      }),
    closed: () => until("the end", () => log.find((entry): entry is Closed => !isFrame(entry)))
  }
}

export const outgoing = (message: Message | ReadonlyArray<Message>): Outgoing => ({
  message,
  via: undefined,
  last: false
})

export const numbered = (id: number, payload = ""): Message => ({
  jsonrpc: "2.0",
  id,
  method: "ping",
  params: { payload }
})

export const texts = (frames: ReadonlyArray<Frame>): ReadonlyArray<string> =>
  frames.map((frame) => (frame._tag === "Text" ? frame.text : `no text but ${brief([frame])}`))

export const idOf = (text: string | undefined): unknown => (JSON.parse(text ?? "null") as { id?: unknown }).id

export const payloadOf = (text: string | undefined): string | undefined =>
  (JSON.parse(text ?? "{}") as { params?: { payload?: string } }).params?.payload

export const sizeOf = (text: string | undefined): number | undefined => payloadOf(text)?.length

export const range = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, n) => n)

export function expect(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new Error(otherwise)
}

/** Compares as JSON. */
export function expectSame(actual: unknown, expected: unknown, what: string): void {
  if (JSON.stringify(actual) !== JSON.stringify(expected))
    throw new Error(`${what}: expected ${brief(expected)}, got ${brief(actual)}`)
}

/** The same promise, or an error after ten seconds. */
export async function bounded<A>(promise: Promise<A>, otherwise: string): Promise<A> {
  const late = alarm(10_000)
  try {
    return await Promise.race([promise, late.rings.then(() => Promise.reject(new Error(otherwise)))])
  } finally {
    late.off()
  }
}

/** True when it settles within a fifth of a second. */
export async function soon(promise: Promise<void>): Promise<boolean> {
  const late = alarm(200)
  const settled = await Promise.race([promise.then(() => true), late.rings.then(() => false)])
  late.off()
  return settled
}

/** Gives whatever is ready its turn. */
export const pause = (): Promise<void> => alarm(1).rings

export function door(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open!: () => void
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

function alarm(ms: number): { readonly rings: Promise<void>; readonly off: () => void } {
  let timer: ReturnType<typeof setTimeout> | undefined
  const rings = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  return { rings, off: () => clearTimeout(timer) }
}

const isFrame = (entry: Frame | Closed): entry is Frame =>
  entry._tag === "Text" || entry._tag === "Garbled" || entry._tag === "Refused" || entry._tag === "SessionLost"

const brief = (value: unknown): string => {
  const text = JSON.stringify(value) ?? "nothing"
  return text.length > 300 ? `${text.slice(0, 300)}... (${text.length} characters)` : text
}
