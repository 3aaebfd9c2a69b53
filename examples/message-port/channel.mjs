/**
 * A channel over a MessagePort, for both sides: pages, workers, iframes, Node's worker threads. A string is one message, a number
 * says how many characters of those were handled, and `null` that nothing more is sent.
 */
export function portChannel(port, { room = 65_536 } = {}) {
  let events
  let closed = false
  let farewell
  let handling = false
  /** Arrived, and not handed up yet: the sender stops at `room` characters. */
  const waiting = []
  /** Characters that the other side has not handled yet, and what is settled when they are few. */
  let ahead = 0
  let freed

  port.addEventListener("message", ({ data }) => {
    if (typeof data === "string") waiting.push(data)
    else if (typeof data === "number") ease(data)
    else farewell ??= "the other side of the port was closed"
    handUp()
  })
  // Not every platform tells of it; a side that closes says so before.
  port.addEventListener("close", () => {
    farewell ??= "the port was closed"
    handUp()
  })

  function ease(handled) {
    ahead -= handled
    if (ahead > room) return
    freed?.resolve()
    freed = undefined
  }

  const free = () => events !== undefined && !handling && !closed

  function handUp() {
    while (free() && waiting.length > 0) {
      const text = waiting.shift()
      handling = true
      const pending = events.frame({ _tag: "Text", text, via: "port" })
      const handled = () => {
        handling = false
        if (!closed) port.postMessage(text.length)
      }
      if (pending === undefined) handled()
      else void pending.finally(handled).finally(handUp)
    }
    if (free() && farewell !== undefined) end({ _tag: "Gone", detail: farewell })
  }

  function end(why) {
    if (closed) return
    closed = true
    ease(ahead)
    port.close()
    events?.closed(why)
  }

  return {
    cancels: "message",
    open(given) {
      if (events !== undefined) throw new TypeError("This channel is open already. One channel carries one session.")
      if (closed) return
      events = given
      port.start()
      handUp() // what came before has waited
    },
    send({ text, message }) {
      if (closed) return
      const sent = text ?? JSON.stringify(message)
      port.postMessage(sent)
      ahead += sent.length
      if (ahead > room) return (freed ??= settler()).promise
    },
    abort() {},
    async close() {
      if (closed) return
      port.postMessage(null)
      end({ _tag: "Closed" })
    }
  }
}

function settler() {
  let resolve
  const promise = new Promise((settle) => (resolve = settle))
  return { promise, resolve }
}
