/** One channel over one connection, or over several in turn where lost ones are opened again. */
import type { Alarm, Channel, ChannelEvents, Closed, Frame, Outgoing } from "@parley/driver"
import { tooManyValues } from "@parley/driver"
import type { Line } from "../line/line.js"
import { settler, SocketChannel, textOf, VIA } from "../line/socket-channel.js"
import { Conversation, lasts, methodOf, requestsIn } from "./conversation.js"
import type { Unopened } from "./dial.js"
import type { Settings } from "./options.js"

/** Opens a connection. `make` is called when it is open, before anything comes of it. */
export type Dial = (make: (line: Line) => SocketChannel, signal: AbortSignal) => Promise<SocketChannel>

export function lasting(dial: Dial, settings: Settings): Channel {
  const { reconnect, closeMs, clock } = settings
  const conversation = reconnect && new Conversation()
  const stop = new AbortController()
  let events: ChannelEvents | undefined
  let current: SocketChannel | undefined
  /** What was sent while there was no connection. */
  let early: Array<Outgoing> = []
  let room: ReturnType<typeof settler> | undefined
  /** A session is begun anew, and not open yet. */
  let reviving = false
  let beginning: Promise<void> | undefined
  let closing: Promise<void> | undefined
  let told = false
  /** Tries in a row, of which nothing came that lasted. */
  let vain = 0
  /** When the connection was opened. */
  let since = 0
  let pulse: Alarm | undefined

  const call = (): Promise<SocketChannel> =>
    dial((line) => new SocketChannel(line, { closeMs, code: () => 1000 }), stop.signal)

  function tell(why: Closed): void {
    if (told) return
    told = true
    pulse?.cancel()
    early = []
    room?.free()
    events?.closed(why)
  }

  async function begin(): Promise<void> {
    try {
      take(await call())
    } catch (error) {
      if (closing !== undefined) return tell({ _tag: "Closed" })
      const detail = `the connection could not be opened: ${(error as Error).message}`
      // It is not that the server ended on what it was asked: nothing of it went out.
      for (const id of early.flatMap(requestsIn)) await hand({ _tag: "Refused", id, status: 0, body: detail })
      tell({ _tag: "Gone", detail })
    }
  }

  function transmit(channel: SocketChannel, out: Outgoing): void | Promise<void> {
    conversation?.sent(out)
    return channel.send(out)
  }

  /** What was sent meanwhile goes out. */
  function take(channel: SocketChannel): void {
    if (current !== channel) hold(channel)
    const waiting = early
    early = []
    for (const out of waiting) void transmit(channel, out)
    room?.free()
    room = undefined
  }

  function hold(channel: SocketChannel): void {
    current = channel
    since = clock.now()
    beat(channel)
    channel.open({ frame: came, closed: (why) => lost(channel, why) })
  }

  function beat(channel: SocketChannel): void {
    pulse?.cancel()
    pulse = clock.after(Math.min(settings.heartbeatMs, settings.silenceMs), () => {
      if (current !== channel) return
      channel.beat(clock.now(), settings)
      beat(channel)
    })
    pulse.hold(false)
  }

  function came(frame: Frame): void | Promise<void> {
    if (closing !== undefined) return
    if (conversation === undefined || frame._tag !== "Text" || tooManyValues(frame.text)) return events!.frame(frame)
    let json: unknown
    try {
      json = JSON.parse(frame.text)
    } catch {
      return events!.frame(frame)
    }
    conversation.heard(json)
    return events!.frame({ _tag: "Parsed", json, via: VIA })
  }

  function lost(channel: SocketChannel, why: Closed): void {
    if (current !== channel) return
    current = undefined
    pulse?.cancel()
    if (closing !== undefined || why._tag !== "Gone" || reconnect === undefined || !conversation!.met) return tell(why)
    // A server that answers and is gone again at once is one that does not serve.
    if (clock.now() - since >= Math.min(reconnect.maxMs, STEADY)) vain = 0
    void again(why.detail, conversation!)
  }

  async function again(detail: string, conversation: Conversation): Promise<void> {
    for (const id of conversation.asked.keys()) {
      // That one is asked again, of a server that knows nothing of it.
      if (id === conversation.opening) continue
      conversation.asked.delete(id)
      // Nobody can know whether it was done.
      const body = `the connection was lost before the reply came: ${detail}`
      await hand({ _tag: "Refused", id, status: 0, body })
    }
    const { initialMs, maxMs, tries } = reconnect!
    for (let why = detail; ;) {
      if (vain >= tries) return tell({ _tag: "Gone", detail: fled(detail, why, tries) })
      const ms = Math.min(Math.max(initialMs, vain > 0 ? LEAST : 0) * 2 ** vain++, maxMs)
      await pause(ms * (1 + Math.random() / 4))
      if (closing !== undefined) return
      try {
        return await resume(await call(), conversation)
      } catch (error) {
        if (closing !== undefined) return
        why = (error as Unopened).message
        if ((error as Unopened).lasting) return tell({ _tag: "Gone", detail: `${gone(detail)}: ${why}` })
      }
    }
  }

  /** Where there was a session another one is begun. What was sent meanwhile waits for it, and is good in it. */
  async function resume(channel: SocketChannel, { session, opening, asked }: Conversation): Promise<void> {
    if (!session) {
      take(channel)
      // What listened hears nothing by this one until the server is asked to tell it.
      return hand({ _tag: "SessionLost", id: undefined })
    }
    reviving = true
    early = lasts(early)
    hold(channel)
    if (opening === undefined) return hand({ _tag: "SessionLost", id: undefined })
    void channel.send(asked.get(opening)!)
  }

  /** While a session is begun nothing else goes out. */
  function revive(channel: SocketChannel, out: Outgoing): void | Promise<void> {
    const method = methodOf(out)
    if (method === "initialize") return transmit(channel, out)
    if (method !== "notifications/initialized") return wait(out)
    reviving = false
    early = [out, ...lasts(early)]
    return take(channel)
  }

  function wait(out: Outgoing): Promise<void> {
    early.push(out)
    return (room ??= settler()).promise
  }

  const hand = async (frame: Frame): Promise<void> => {
    if (closing === undefined) await events!.frame(frame)
  }

  /** Settles when the time is over, or the channel closes. */
  function pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const over = (): void => {
        alarm.cancel()
        stop.signal.removeEventListener("abort", over)
        resolve()
      }
      const alarm = clock.after(ms, over)
      stop.signal.addEventListener("abort", over)
    })
  }

  async function shut(why: string | undefined): Promise<void> {
    // What was accepted before it was open still goes out, if it opens soon.
    const late = setTimeout(() => stop.abort(), closeMs)
    if (current === undefined) await beginning
    clearTimeout(late)
    stop.abort()
    await current?.close(why)
    tell({ _tag: "Closed" })
  }

  return {
    cancels: "message",
    ...(reconnect && { returns: true }),
    open(on) {
      if (events !== undefined)
        throw new TypeError("This channel is open already. Call webSocket() once for each session.")
      if (closing !== undefined) return
      events = on
      beginning = begin()
    },
    send(out) {
      const text = textOf(out)
      if (closing !== undefined || told) return
      const given = out.text === undefined ? { ...out, text } : out
      if (current === undefined) return wait(given)
      return reviving ? revive(current, given) : transmit(current, given)
    },
    abort() {},
    close: (why) => (closing ??= shut(why))
  }
}

const gone = (detail: string): string => `the connection was lost (${detail}), and could not be opened again`

/** All tries were in vain, the last one because of `why`: the connection was not opened, or did not last. */
const fled = (detail: string, why: string, tries: number): string =>
  why === detail && tries > 0
    ? `the connection was lost (${detail}), and of ${tries} in a row none lasted`
    : `${gone(detail)} in ${tries} tries: ${why}`

/** A connection that lasts so long, in ms, or as long as the longest wait, is none that was opened in vain. */
const STEADY = 10_000
/** What the waits are doubled from at least, from the second one in a row on, in ms. */
const LEAST = 50
