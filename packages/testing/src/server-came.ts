/** What came to a server, entered into its ledger. */
import { own, plainParams, reading, withdrawn } from "./envelope.js"
import type { BatchEntry, Entry, Seal } from "./ledger.js"
import { isLive, isOpenStream, waits } from "./ledger.js"
import type { ServerStep } from "./run.js"
import type { InputOf, Origin, OutputOf, Page } from "./server-page.js"
import { hasBatches } from "./specification.js"

/** What the step put out for the requests that came, in their order: handlers to run, and states to open. */
export interface Begun {
  readonly invokes: Array<OutputOf<"Invoke">>
  readonly unseals: Array<OutputOf<"Unseal">>
}

export function receive(page: Page, { json, ...from }: InputOf<"Received">, at: number, begun: Begun): void {
  const isBatch = Array.isArray(json) && json.length > 0 && page.moment !== "unopened" && hasBatches(page.revision())
  if (!isBatch) return member(page, json, from, at, undefined, begun)
  const batch: BatchEntry = { via: from.via, members: [] }
  page.batches.push(batch)
  for (const one of json as ReadonlyArray<unknown>) member(page, one, from, at, batch, begun)
}

/** Takes from the handlers that were run those that a member of the message ran; they are in the order of the members. */
function member(
  page: Page,
  json: unknown,
  from: Origin,
  at: number,
  batch: BatchEntry | undefined,
  { invokes, unseals }: Begun
): void {
  const read = reading(json)
  if (read.kind === "request" || (read.kind === "garbage" && !read.replyish)) {
    const entry = page.add(read, from, at, batch)
    if (entry.inUse || read.kind !== "request") return
    if (invokes[0]?.id === read.id) begins(page, entry, invokes.shift()!, at)
    else if (unseals[0]?.id === read.id) opens(page, entry, unseals.shift()!, at)
    return
  }
  if (read.kind === "reply" && typeof read.id === "number") {
    answered(page, read.id, at)
    if (invokes[0] !== undefined && isDue(page, invokes[0])) ranAgain(page, invokes.shift()!, at)
  }
  const id = withdrawn(read)
  const gone =
    id === undefined
      ? undefined
      : page.live.find((entry) => entry.read.id === id && (isLive(entry) || isOpenStream(entry)))
  if (gone !== undefined) gone.cancelledAt = at
  const initialized = read.kind === "notification" && read.method === "notifications/initialized"
  if (initialized && page.moment === "opened" && plainParams(read.params)) page.moment = "ready"
}

function begins(page: Page, entry: Entry, { call, target, peer }: OutputOf<"Invoke">, at: number): void {
  entry.call = call
  entry.target = target
  entry.runs.push({ at, peer })
  page.live.push(entry)
}

function opens(page: Page, entry: Entry, output: OutputOf<"Unseal">, at: number): void {
  entry.call = output.call
  entry.stage = "Unseal"
  entry.pauses.push({ from: at })
  page.live.push(entry)
  page.seals.push({ at, output, entry })
}

/** A question that the client has not heard yet can run out of time, and can not be answered. */
export function answered(page: Page, id: number, at: number, timedOut = false): void {
  for (const entry of page.live.filter(isLive))
    for (const ask of entry.asks) if (ask.id === id && (ask.sentAt !== undefined || timedOut)) ask.closedAt ??= at
}

/** A reply that can not be read but for its id may still be taken for one, as bad as a refusal. */
export function brokenReply(page: Page, json: unknown, outputs: ServerStep["outputs"], at: number): void {
  for (const { id, kind, replyish } of (Array.isArray(json) ? json : [json]).map(reading))
    if (kind === "garbage" && replyish && outputs.some((output) => stops(output, id))) answered(page, id as number, at)
}

const stops = (output: ServerStep["outputs"][number], ask: unknown): boolean =>
  output._tag === "StopTimer" && output.timer.of === "ask" && output.timer.call === ask

/**
 * Its questions are sealed, or are taken on and have each a timer, or its request brought an answer and it runs again; where
 * nothing is so, the call has failed.
 */
export function needsInput(
  page: Page,
  input: InputOf<"NeedsInput">,
  outputs: ServerStep["outputs"],
  { invokes }: Begun,
  at: number
): void {
  const entry = page.about(input)
  if (entry === undefined || waits(entry) || page.closedAt !== undefined) return
  if (invokes[0]?.id === input.id && foretold(entry, input)) {
    const { call, peer } = invokes.shift()!
    entry.call = call
    entry.runs.push({ at, peer })
    return
  }
  const seal = outputs.find((output) => output._tag === "Seal" && output.id === input.id) as
    | OutputOf<"Seal">
    | undefined
  const ids = outputs.flatMap((output) =>
    output._tag === "StartTimer" && output.timer.of === "ask" ? [output.timer.call] : []
  )
  if (ids.length === 0 && seal === undefined) entry.finishedAt = at
  else entry.pauses.push({ from: at })
  if (seal !== undefined) {
    entry.call = seal.call
    entry.stage = "Seal"
    page.seals.push({ at, output: seal, entry })
  }
  for (const [index, id] of ids.entries()) {
    const question = input.questions[index]
    if (question !== undefined) entry.asks.push({ id, question, askedAt: at })
  }
}

/** Whether the request brings an answer to what is asked, and no state that would say what was. */
const foretold = ({ asker, read }: Entry, { questions }: InputOf<"NeedsInput">): boolean =>
  asker !== undefined &&
  own(read.params, "requestState") === undefined &&
  questions.some(({ key }) => own(own(read.params, "inputResponses"), key) !== undefined)

/** What it waited for is sealed: its reply is due. Or it is open, and its handler runs, unless that is refused. */
export function sealDone(
  page: Page,
  input: InputOf<"Sealed"> | InputOf<"Unsealed">,
  { invokes }: Begun,
  at: number
): void {
  const entry = page.about(input)
  if (entry?.stage !== (input._tag === "Sealed" ? "Seal" : "Unseal") || page.closedAt !== undefined) return
  delete entry.stage
  const invoked = input._tag === "Unsealed" && input.payload !== undefined ? invokes[0] : undefined
  if (invoked?.call !== entry.call || invoked?.id !== input.id) return void (entry.finishedAt = at)
  entry.pauses.at(-1)!.to = at
  entry.target = invokes.shift()!.target
  entry.runs.push({ at, peer: invoked.peer })
}

/** The client answers nothing any more: whose handler waits for it is done. */
export function fallSilent(page: Page, at: number): void {
  page.silentAt ??= at
  if (page.closedAt !== undefined) return
  for (const entry of page.live) if (isLive(entry) && waits(entry) && entry.stage === undefined) entry.finishedAt = at
}

/** 2026-07-28 basic/transports/streamable-http: whoever hangs up cancels. Handshake revisions do not take it for that. */
export function hungUp(page: Page, via: string, at: number): void {
  for (const entry of page.live)
    if (entry.via === via && entry.asker !== undefined && (isLive(entry) || isOpenStream(entry))) entry.cancelledAt = at
}

/** Streams of exchanges that ended with their process, or whose client is gone, are over. */
export function cutOff(page: Page, at: number): void {
  for (const entry of page.live) if (isOpenStream(entry)) entry.cancelledAt = at
}

export function finish(page: Page, word: { readonly call: number; readonly id: string | number }, at: number): void {
  const entry = page.about(word)
  if (entry !== undefined && !waits(entry) && page.closedAt === undefined) entry.finishedAt = at
}

/** Whether it belongs to a handler whose last question was just answered. */
function isDue(page: Page, { id }: OutputOf<"Invoke">): boolean {
  const entry = page.live.find((other) => other.read.id === id && isLive(other))
  return entry !== undefined && isAnswered(entry)
}

const isAnswered = (entry: Entry): boolean =>
  waits(entry) && entry.stage === undefined && entry.asks.every(({ closedAt }) => closedAt !== undefined)

export function ranAgain(page: Page, { call, id, target, peer }: OutputOf<"Invoke">, at: number): void {
  const entry = page.live.find((other) => other.read.id === id && isLive(other))
  if (entry === undefined || !(waits(entry) ? isAnswered(entry) : entry.call === call))
    return void page.orphans.push({ at, call })
  if (waits(entry)) entry.pauses.at(-1)!.to = at
  entry.call = call
  entry.runs.push({ at, peer })
  if (JSON.stringify(target) !== JSON.stringify(entry.target)) page.strayed.push({ at, entry })
}

/** Once more where the state was decoded, for what waits for it; at any other time nothing waits for that. */
export function sealedAgain(page: Page, output: Seal, { input }: ServerStep, at: number): void {
  const entry = input._tag === "Resumed" ? page.about(output) : undefined
  const due = entry?.stage === output._tag && !page.seals.some((one) => one.at === at && one.entry === entry)
  page.seals.push({ at, output, entry: due ? entry : undefined })
}
