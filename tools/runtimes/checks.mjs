/** The checks that need nothing of the platform but channels in memory, and how any check is run: its verdict is a text. */
import { link } from "@parley/driver"
import { serve } from "@parley/server"
import { portChannel } from "../../examples/message-port/channel.mjs"
import { converse } from "./converse.mjs"
import { parlour } from "./parlour.mjs"
import { replay } from "./replay.mjs"

/** Of every runtime. */
export const everywhere = {
  replay: (corpus) => {
    const { conversations, wrong } = replay(corpus)
    if (wrong.length > 0)
      throw new Error(`${wrong.length} of ${conversations} went otherwise: ${wrong.slice(0, 1).join()}`)
  },
  link: () =>
    converse(() => {
      const [near, far] = link()
      void serve(parlour, far)
      return near
    }),
  port: () =>
    converse(() => {
      const { port1, port2 } = new MessageChannel()
      void serve(parlour, portChannel(port2))
      return portChannel(port1)
    })
}

/** Whether strings can be made into code here. */
export function compiles() {
  try {
    return Reflect.construct(Function, ["return true"])()
  } catch {
    return false
  }
}

/** What each check came to: `ok`, or what went wrong. One that hangs has failed. */
export async function verdicts(checks, corpus) {
  const found = {}
  for (const [name, check] of Object.entries(checks)) found[name] = await verdict(() => check(corpus))
  return found
}

async function verdict(check) {
  let alarm
  const late = new Promise((resolve) => {
    alarm = setTimeout(resolve, LIMIT, `it took longer than ${LIMIT / 1000} s`)
  })
  const done = (async () => check())().then(
    () => "ok",
    (error) => `${error?.name}: ${error?.message}`
  )
  const came = await Promise.race([done, late])
  clearTimeout(alarm)
  return came
}

const LIMIT = 60_000
