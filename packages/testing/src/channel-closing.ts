/** The part of the contract of channels about how they end: once, last, with everything sent, and quietly ever after. */
import type { Joined } from "./channel-contract.js"
import {
  bounded,
  door,
  expect,
  expectSame,
  idOf,
  listen,
  numbered,
  outgoing,
  pause,
  range,
  texts
} from "./channel-tape.js"

export async function closedLast({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  const own = listen(from)
  for (let n = 0; n < 10; n++) void from.send(outgoing(numbered(n)))
  await bounded(from.close(), "close did not settle")
  expectSame(own.log.at(-1), { _tag: "Closed" }, "what the closing side was told before close settled")
  const why = await heard.closed()
  expect(why._tag !== "Closed", "a side that did not close was told that it had")
  expectSame(texts(await heard.frames(10)).map(idOf), range(10), "the ids that arrived")
  await to.close()
  await pause()
  expectSame(heard.log.length, 11, "ten frames and one end")
  expectSame(heard.log.at(-1), why, "what came last")
}

export async function flushes({ from, to }: Joined): Promise<void> {
  const heard = listen(to, pause)
  listen(from)
  for (let n = 0; n < 200; n++) void from.send(outgoing(numbered(n, "x".repeat(20_000))))
  await bounded(from.close(), "close did not settle")
  await heard.closed()
  expectSame(texts(await heard.frames(200)).map(idOf), range(200), "the ids that arrived")
}

export async function closesOnce({ from, to }: Joined): Promise<void> {
  listen(to)
  const own = listen(from)
  await bounded(Promise.all([from.close(), from.close("again")]), "close did not settle")
  await bounded(from.close(), "a later close did not settle")
  await pause()
  expectSame(own.log, [{ _tag: "Closed" }], "what the closing side was told")
}

export async function nothingLater({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  void from.send(outgoing(numbered(0)))
  await heard.frames(1)
  const closing = to.close()
  for (let n = 1; n < 100; n++) void from.send(outgoing(numbered(n)))
  await bounded(closing, "close did not settle")
  await pause()
  expectSame(heard.log.length, 2, "one frame and one end")
  expectSame(heard.log.at(-1), { _tag: "Closed" }, "what came last")
}

export async function closesBusy({ from, to }: Joined): Promise<void> {
  const gate = door()
  const heard = listen(to, () => gate.opened)
  listen(from)
  void from.send(outgoing(numbered(1)))
  void from.send(outgoing(numbered(2)))
  await heard.frames(1)
  await bounded(to.close(), "close did not settle")
  gate.open()
  await pause()
  expectSame(heard.log.length, 2, "one frame and one end")
}

export async function sendsLate({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  await bounded(from.close(), "close did not settle")
  expectSame(from.send(outgoing(numbered(1))), undefined, "what a late send returned")
  await heard.closed()
  await bounded(Promise.resolve(to.send(outgoing(numbered(2)))), "sending to nobody kept the sender waiting")
  await to.close()
  expectSame(to.send(outgoing(numbered(3))), undefined, "what a late send returned")
  expectSame(heard.log.length, 1, "nothing but the end")
}

export async function aborts({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  from.abort(1)
  void from.send(outgoing(numbered(1)))
  await heard.frames(1)
  from.abort("never used")
  await from.close()
  from.abort(1)
}
