/** Starts workers, asks them, and notices when one is stuck. */
import { fork } from "node:child_process"
import { join } from "node:path"

/** What the first file of tests may take to begin. */
const startMs = 60_000

/**
 * A worker, ready to be asked one thing after another. What does not end, or ends the process, has noticed the mutant: its code
 * looped or crashed. The outcome then says `dead`, and who asked needs another worker. `tests` are the files of tests there are. `limitOf` has what a file of tests may take.
 */
export async function startWorker() {
  const child = fork(join(import.meta.dirname, "worker.mjs"), { stdio: ["ignore", "ignore", "inherit", "ipc"] })
  const { ready, tests } = await answer(child, () => startMs)
  if (!ready) throw new Error("a worker did not start")
  return {
    tests,
    ask: async (question, limitOf) => {
      child.send(question)
      const outcome = await answer(child, limitOf)
      if (outcome.dead) child.kill("SIGKILL")
      return outcome
    },
    stop: () => child.kill("SIGKILL")
  }
}

function answer(child, limitOf) {
  return new Promise((resolve) => {
    let test
    let timer
    const wait = (ms) => {
      clearTimeout(timer)
      timer = setTimeout(() => settle({ killed: true, by: `${test ?? "it"} did not end`, test, dead: true }), ms)
    }
    const settle = (outcome) => {
      clearTimeout(timer)
      child.off("message", heard)
      child.off("exit", exited)
      resolve(outcome)
    }
    const heard = (message) => {
      if (message.running === undefined) return settle(message)
      test = message.running
      wait(limitOf(test))
    }
    const exited = (code) =>
      settle({ killed: true, by: `${test ?? "it"}: the process died with ${code}`, test, dead: true })
    child.on("message", heard)
    child.on("exit", exited)
    wait(startMs)
  })
}
