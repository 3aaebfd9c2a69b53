/** The calls of a client's run: the requests that were made for each, the replies to them, and what results asked. */
import type { JsonObject } from "@parley/core"
import type { Called, Outcome, Output } from "@parley/core/client"
import type { Attempt, Calling, ClientLedger, Inside, Reply, Round } from "./client-ledger.js"
import { isOpen, sentFor } from "./client-ledger.js"
import type { Fields, Read } from "./envelope.js"
import { fields, own } from "./envelope.js"
import type { ClientStep } from "./run.js"

type Ask = Extract<Output, { readonly _tag: "Ask" }>
type Input = ClientStep["input"]

export class CallBook {
  readonly calls: Array<Calling> = []
  readonly attempts: Array<Attempt> = []
  readonly inside: Array<Inside> = []
  readonly foundlings: Array<Reply> = []

  called(called: Called, peer: ClientLedger["peer"], at: number): void {
    const [rounds, acknowledged, settled] = [[], [], []]
    this.calls.push({
      called,
      at,
      server: peer?.capabilities,
      revision: peer?.revision,
      rounds,
      acknowledged,
      settled
    })
  }

  /** A reply, or what looks like one, is the reply to the request that has its id and none yet. */
  replied(read: Read, message: unknown, at: number): void {
    if (read.id === undefined || !(read.kind === "reply" || read.replyish)) return
    const requests: ReadonlyArray<Round> = [...this.calls.flatMap(({ rounds }) => rounds), ...this.attempts]
    const request = requests.findLast((one) => one.reply === undefined && own(one.message, "id") === read.id)
    if (request !== undefined) request.reply = { at, read, message: fields(message) }
  }

  /** Whether one of the requests that were made for the call was answered just now. */
  private answeredAt(at: number): Calling | undefined {
    return this.calls.findLast(({ rounds }) => rounds.at(-1)?.reply?.at === at)
  }

  ask({ ask, method, params, about: call }: Ask, at: number): void {
    const about = this.underWay(call)
    const round = about?.rounds.at(-1)
    const asked = round?.reply?.at === at ? fields(own(own(round.reply.message, "result"), "inputRequests")) : {}
    const taken = this.inside.filter((other) => other.round === round && other.at === at).map(({ key }) => key)
    const key = Object.keys(asked).find((one) => !taken.includes(one) && own(asked[one], "method") === method)
    this.inside.push({ at, ask, method, params, about, round, key })
  }

  /** What was put to the user inside a result is answered; nothing when it is no such thing. */
  answered(input: Extract<Input, { _tag: "Answered" | "Declined" }>, at: number): void {
    const asked = this.inside.find((other) => other.ask === input.ask && isOpen(other))
    if (asked === undefined || input.id !== undefined) return
    asked.answeredAt = at
    asked.declined = input._tag === "Declined"
    if (input._tag === "Answered") asked.response = input.result
  }

  takenBack(ask: number, at: number): void {
    const asked = this.inside.find((other) => other.ask === ask)
    if (asked !== undefined) asked.withdrawnAt ??= at
  }

  acknowledged(call: number, honoured: JsonObject, at: number): void {
    sentFor(this.calls, call)?.acknowledged.push({ at, honoured })
  }

  settle(call: number, outcome: Outcome, at: number): void {
    const mine = this.calls.filter(({ called }) => called.call === call)
    // Of two calls with one number the later, which was refused for it, is settled first.
    const calling = mine.findLast(({ settled }) => settled.length === 0) ?? mine[0]
    calling?.settled.push({ at, outcome })
  }

  /** A request of the client's: the first of a call, another one for it, or one to open. */
  sent(message: Fields, input: Input, via: string | undefined, open: boolean, at: number): void {
    const method = message["method"]
    const about = this.continued(message, input, at)
    if (about !== undefined) about.rounds.push({ at, message })
    else if (method === "initialize" || method === "server/discover") this.attempts.push({ at, message, method, open })
    else this.foundlings.push({ at, via, message })
  }

  private continued(message: Fields, input: Input, at: number): Calling | undefined {
    const calling = this.goesOn(input, at)
    if (calling === undefined || calling.settled.length > 0) return undefined
    return calling.called.method === message["method"] ? calling : undefined
  }

  private goesOn(input: Input, at: number): Calling | undefined {
    switch (input._tag) {
      case "Called":
        return this.calls.at(-1)!.rounds.length === 0 ? this.calls.at(-1) : undefined
      case "Answered":
        return this.inside.find(({ ask, answeredAt }) => ask === input.ask && answeredAt === at)?.about
      case "TimerFired":
        return input.timer.of === "retry" ? this.underWay(input.timer.call) : undefined
      case "Received":
        return this.answeredAt(at)
      default:
        return undefined
    }
  }

  private underWay(call: number | undefined): Calling | undefined {
    return this.calls.findLast(
      ({ called, rounds, settled }) => called.call === call && rounds.length > 0 && settled.length === 0
    )
  }
}
