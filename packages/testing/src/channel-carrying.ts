/** The part of the contract of channels about what is carried: order, wholeness, text, batches, garbage, and waiting for each other. */
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
  payloadOf,
  range,
  sizeOf,
  soon,
  texts
} from "./channel-tape.js"

export async function inOrder({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  for (let n = 0; n < 1000; n++) void from.send(outgoing(numbered(n)))
  expectSame(texts(await heard.frames(1000)).map(idOf), range(1000), "the ids that arrived")
}

export async function whole({ from, to }: Joined): Promise<void> {
  const sizes = [0, 1, 100, 65_535, 65_536, 65_537, 1 << 20, 8 << 20]
  const heard = listen(to)
  listen(from)
  for (const size of sizes) await from.send(outgoing(numbered(size, "x".repeat(size))))
  const arrived = texts(await heard.frames(sizes.length))
  for (const [at, size] of sizes.entries()) expectSame(sizeOf(arrived[at]), size, "the size of a message")
}

export async function unicode({ from, to }: Joined): Promise<void> {
  const pads = [
    "ascii",
    "\u0000\u001f\u007f",
    "\u2028\u2029\u0085",
    "\ufeffmark",
    "\ud800 alone",
    "\r\n\t",
    "é",
    "日本",
    "😀👩‍👩‍👧",
    '"\\'
  ]
  const payloads = [
    ...pads,
    ...pads.map((pad) => pad.repeat(5000)),
    ...range(4).map((n) => "x".repeat(n) + "😀".repeat(40_000))
  ]
  const heard = listen(to)
  listen(from)
  for (const [n, payload] of payloads.entries()) await from.send(outgoing(numbered(n, payload)))
  const arrived = texts(await heard.frames(payloads.length))
  for (const [n, payload] of payloads.entries()) expectSame(payloadOf(arrived[n]), payload, `payload ${n}`)
}

export async function givenText({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  void from.send({ ...outgoing(numbered(1)), text: '{ "given" : "é" }' })
  expectSame(texts(await heard.frames(1)), ['{ "given" : "é" }'], "the text that arrived")
}

export async function lineEnds({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  void from.send({ ...outgoing(numbered(1)), text: '{\n  "given":\r\n [1,\n\n2]\n}' })
  void from.send(outgoing(numbered(2)))
  const arrived = texts(await heard.frames(2)).map((text) => JSON.parse(text) as unknown)
  expectSame(arrived, [{ given: [1, 2] }, numbered(2)], "the messages that arrived")
}

export async function batches({ from, to }: Joined): Promise<void> {
  const heard = listen(to)
  listen(from)
  void from.send(outgoing([numbered(1), numbered(2)]))
  expectSame(JSON.parse(texts(await heard.frames(1))[0] ?? ""), [numbered(1), numbered(2)], "the batch that arrived")
}

export async function backPressure({ from, to }: Joined): Promise<void> {
  const gate = door()
  const heard = listen(to, () => gate.opened)
  listen(from)
  let sent = 0
  let wait: Promise<void> | undefined
  while (wait === undefined && sent < 1000) {
    wait = from.send(outgoing(numbered(sent++, "x".repeat(100_000)))) ?? undefined
    if (wait !== undefined && (await soon(wait))) wait = undefined
  }
  expect(wait !== undefined, "100 MB were taken without a word while the other side was not reading")
  expectSame((await heard.frames(1)).length, 1, "the frames handed up while the first was being handled")
  gate.open()
  await bounded(wait, "there was never room again")
  expectSame(texts(await heard.frames(sent)).map(idOf), range(sent), "the ids that arrived")
}

export async function slowly({ from, to }: Joined): Promise<void> {
  let handled = 0
  let most = 0
  const heard = listen(to, async () => {
    most = Math.max(most, ++handled)
    await pause()
    handled--
  })
  listen(from)
  for (let n = 0; n < 200; n++) void from.send(outgoing(numbered(n)))
  expectSame(texts(await heard.frames(200)).map(idOf), range(200), "the ids that arrived")
  expectSame(most, 1, "the frames handled at the same time")
}

export async function bothWays({ from, to }: Joined): Promise<void> {
  const there = listen(to)
  const here = listen(from)
  for (let n = 0; n < 100; n++) {
    void from.send(outgoing(numbered(n, "x".repeat(1000))))
    void to.send(outgoing(numbered(n, "y".repeat(1000))))
  }
  expectSame(texts(await there.frames(100)).map(idOf), range(100), "the ids that arrived there")
  expectSame(texts(await here.frames(100)).map(idOf), range(100), "the ids that arrived here")
}

export async function garbage({ from, to, garble }: Joined): Promise<void> {
  if (garble === undefined) return
  const heard = listen(to)
  listen(from)
  void from.send(outgoing(numbered(1)))
  await heard.frames(1)
  garble(Uint8Array.of(0x7b, 0xff, 0xfe, 0x7d))
  const [, bad] = await heard.frames(2)
  expect(bad?._tag === "Garbled" && bad.why === "utf8", `expected a Garbled frame, got ${JSON.stringify(bad)}`)
  garble(new TextEncoder().encode("a banner"))
  void from.send(outgoing(numbered(2)))
  const [, , banner, last] = await heard.frames(4)
  expectSame(banner?._tag === "Text" ? banner.text : banner, "a banner", "text that is no JSON")
  expectSame(last?._tag === "Text" ? idOf(last.text) : last, 2, "the message after it")
}
