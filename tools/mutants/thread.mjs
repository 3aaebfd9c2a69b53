/** A thread that outlives Vitest's runs: the next mutant finds the libraries loaded, and all modules that it does not change. */
import { EventEmitter } from "node:events"
import { join } from "node:path"
import { Worker } from "node:worker_threads"

/** The one that is kept, when there is one: `hear` is told of its events, `idle` is pending while it is `busy`. */
let thread

/** The next run has a new thread, in which nothing is left of what ran before. */
export async function renew() {
  const previous = thread
  thread = undefined
  await previous?.worker.terminate()
}

/** For Vitest's option `pool`. */
export const kept = { name: "kept", createPoolWorker: (options) => new Kept(options) }

/** What Vitest takes for a thread of its own that it starts and stops. Between the two it is the one that is kept. */
class Kept {
  name = kept.name
  heard = new EventEmitter()

  constructor({ distPath, env, execArgv }) {
    this.entry = join(distPath, "workers/threads.js")
    this.options = { env, execArgv, stdout: true, stderr: true }
  }

  on(event, listener) {
    this.heard.on(event, listener)
  }

  off(event, listener) {
    this.heard.off(event, listener)
  }

  deserialize(data) {
    return data
  }

  start() {
    thread ??= open(this.entry, this.options)
    thread.hear = (event, data) => this.heard.emit(event, data)
  }

  /** Told to stop at once, without waiting for the end, it stops. */
  async stop() {
    this.heard.removeAllListeners()
    if (thread === undefined) return
    thread.hear = () => {}
    if (thread.busy) await renew()
  }

  send(message) {
    const type = message.__vitest_worker_request__ === true ? message.type : undefined
    if (type === "stop") void thread.idle.then(() => this.answer("stopped"))
    else if (type === "start" && thread.started) queueMicrotask(() => this.answer("started"))
    else {
      if (type === "start") thread.started = true
      if (type === "run") begin(thread)
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- it is a thread's, not a window's.
      thread.worker.postMessage(message)
    }
  }

  answer(type) {
    this.heard.emit("message", { type, __vitest_worker_response__: true })
  }
}

function open(entry, options) {
  const worker = new Worker(entry, options)
  const opened = { worker, started: false, busy: false, idle: Promise.resolve(), rest: () => {}, hear: () => {} }
  worker.stdout.resume()
  worker.stderr.resume()
  worker.on("message", (data) => {
    if (data.type === "testfileFinished") opened.rest()
    opened.hear("message", data)
  })
  for (const event of ["error", "exit"]) {
    worker.on(event, (data) => {
      if (thread === opened) thread = undefined
      opened.hear(event, data)
      opened.rest()
    })
  }
  return opened
}

function begin(run) {
  run.busy = true
  run.idle = new Promise((resolve) => {
    run.rest = () => {
      run.busy = false
      resolve()
    }
  })
}
