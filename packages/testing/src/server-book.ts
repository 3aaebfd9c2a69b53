/** Keeps the ledger of a server's run, step by step. */
import { reading } from "./envelope.js"
import type { Ledger } from "./ledger.js"
import { isLive, isOpenStream } from "./ledger.js"
import type { ServerRun, ServerStep } from "./run.js"
import type { Begun } from "./server-came.js"
import * as came from "./server-came.js"
import { Page } from "./server-page.js"
import { send, wordOf } from "./server-went.js"

const ledgers = new WeakMap<ServerRun, Ledger>()

/** The same for the same run. */
export function ledgerOf(run: ServerRun): Ledger {
  const known = ledgers.get(run)
  if (known !== undefined) return known
  const page = new Page(run.definition)
  run.steps.forEach((step, at) => enter(page, run, step, at))
  ledgers.set(run, page)
  return page
}

function enter(page: Page, run: ServerRun, step: ServerStep, at: number): void {
  const { outputs, changed } = step
  page.definition = changed?.definition ?? page.definition
  const word = wordOf(page, step)
  const begun: Begun = {
    invokes: outputs.flatMap((output) => (output._tag === "Invoke" ? [output] : [])),
    unseals: outputs.flatMap((output) => (output._tag === "Unseal" ? [output] : []))
  }
  take(page, run, step, begun, at)
  for (const invoked of begun.invokes) came.ranAgain(page, invoked, at)
  for (const output of outputs) {
    const isNew = !page.seals.some((one) => one.at === at && one.output === output)
    if ((output._tag === "Seal" || output._tag === "Unseal") && isNew) came.sealedAgain(page, output, step, at)
    if (output._tag === "Send") send(page, output, word, at)
    if (output._tag === "Interrupt") {
      const entry = page.entries.find(({ call }) => call === output.call)
      if (entry !== undefined) entry.interruptedAt = at
    }
    if (output._tag === "Close") page.closedAt ??= at
  }
  page.live = page.live.filter((entry) => isLive(entry) || isOpenStream(entry))
  page.moments.push(page.moment)
}

function take(page: Page, { options }: ServerRun, { input, outputs }: ServerStep, begun: Begun, at: number): void {
  switch (input._tag) {
    case "Received":
      came.receive(page, input, at, begun)
      return came.brokenReply(page, input.json, outputs, at)
    case "Garbled":
      return void page.add(reading(undefined), input, at)
    case "NeedsInput":
      return came.needsInput(page, input, outputs, begun, at)
    case "Sealed":
    case "Unsealed":
      return came.sealDone(page, input, begun, at)
    case "Succeeded":
    case "Failed":
    case "ArgumentsRefused":
      return came.finish(page, input, at)
    case "InputEnded":
      page.stoppingAt ??= at
      return came.fallSilent(page, at)
    case "Stopping":
      return void (page.stoppingAt ??= at)
    case "ExchangeClosed":
      return came.hungUp(page, input.via, at)
    case "Resumed":
      return options.cancels === "exchange" ? came.cutOff(page, at) : undefined
    case "TimerFired":
      return input.timer.of === "ask" ? came.answered(page, input.timer.call, at, true) : undefined
    case "PeerClosed":
      return came.cutOff(page, at)
    default:
      return undefined
  }
}
