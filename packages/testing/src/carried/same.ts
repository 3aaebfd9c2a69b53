/** Invariant 13: the same conversation gets the same replies and request-scoped notifications by whatever carries it. */
import type { Json } from "@parley/core"
import type { Choose } from "../chance.js"
import { bare, turn } from "./bare.js"
import type { Carrier, Deed, Heard, Names, Way } from "./carrier.js"
import type { Kind } from "./drawn-deeds.js"
import { Drawer } from "./drawn-deeds.js"
import { Ear } from "./ear.js"
import { stage } from "./stage.js"
import type { Stage } from "./stage.js"

/** One thing that was done, what came of it, and what handlers lived through. */
export interface Done {
  readonly deed: Deed
  readonly heard: ReadonlyArray<Heard>
  readonly notes: ReadonlyArray<string>
}

/** What a way makes of a conversation otherwise than the bare core. */
export interface Difference {
  readonly way: string
  readonly at: number
  readonly deed: Deed
  readonly expected: unknown
  readonly got: unknown
}

/** A conversation of so many deeds, as the bare core lives it. */
export async function lived(kind: Kind, choose: Choose, deeds: number): Promise<ReadonlyArray<Done>> {
  const drawer = new Drawer(kind, choose)
  const ear = new Ear()
  const served = stage((note) => ear.note(note))
  const core = await bare(served, (heard) => ear.hear(heard))
  const done: Array<Done> = []
  for (let at = 0; at < deeds; at++) {
    const deed = drawer.next()
    ear.begin()
    await performed(served, core, ear.names, deed, at)
    await core.settled()
    for (const heard of ear.heard) drawer.heard(heard)
    done.push({ deed, heard: ear.heard, notes: ear.notes })
  }
  ear.begin()
  await core.close()
  return done
}

/** The same conversation by another way: where it first differs, if it does. Waits at most so long for what the core said. */
export async function difference(
  done: ReadonlyArray<Done>,
  way: Way,
  patienceMs: number
): Promise<Difference | undefined> {
  const ear = new Ear()
  const served = stage((note) => ear.note(note))
  const carrier = await way.begin(served, (heard) => ear.hear(heard))
  try {
    for (const [at, { deed, heard, notes }] of done.entries()) {
      // Not every way can carry what is no message.
      if (deed._tag === "Garble" && carrier.garble === undefined) continue
      ear.begin()
      const wrong = await within(patienceMs, performed(served, carrier, ear.names, deed, at))
      await ear.until(heard.length, notes.length, patienceMs)
      if (at === done.length - 1) for (let turns = 0; turns < 5; turns++) await turn()
      const differs = (expected: unknown, got: unknown): Difference => ({ way: way.name, at, deed, expected, got })
      if (typeof wrong === "string") return differs("a transport that takes it", wrong)
      const [expected, got] = [told(heard, way.inOrder), told(ear.heard, way.inOrder)]
      if (expected !== got) return differs(JSON.parse(expected), JSON.parse(got))
      const lived = [notes.toSorted(), ear.notes.toSorted()] as const
      if (lived[0].join("\n") !== lived[1].join("\n")) return differs(lived[0], lived[1])
    }
    return undefined
  } finally {
    await carrier.close()
  }
}

/** A transport that takes nothing is no reason to wait for ever. */
async function within(ms: number, work: Promise<unknown>): Promise<unknown> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve(`nothing was taken for ${ms} ms`), ms)))
  const came = await Promise.race([work, late])
  clearTimeout(timer)
  return came
}

/** What every carrier says it took, after the transport had it. */
async function performed(served: Stage, carrier: Carrier, names: Names, deed: Deed, at: number): Promise<unknown> {
  switch (deed._tag) {
    case "Say":
      return carrier.say(names.own(deed.message), at, deed.wrong)
    case "Garble":
      return carrier.garble?.(deed.text, at)
    case "Cancel":
      return carrier.cancel(deed, at)
    case "Open":
      return served.open(deed.gate)
    case "Change":
      await served.change()
      return undefined
    case "Update":
      return served.live.updated(deed.uri as never)
    case "Complete":
      return served.live.completed(deed.elicitationId)
  }
}

/** As a text, so that the order of members counts for nothing. */
function told(heard: ReadonlyArray<Heard>, inOrder: boolean): string {
  if (inOrder) return JSON.stringify(heard.map(({ message }) => unordered(message)))
  const by = new Map<number, Array<Json>>()
  for (const { by: deed = -1, message } of heard) by.set(deed, [...(by.get(deed) ?? []), unordered(message)])
  return JSON.stringify([...by].toSorted(([a], [b]) => a - b))
}

/** In a batch replies may stand in any order. */
const unordered = (message: Json): Json =>
  Array.isArray(message)
    ? message.map((one) => sorted(one as Json)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))
    : sorted(message)

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map((one) => sorted(one as Json))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, one]) => [key, sorted(one as Json)])
  )
}
