/** Questions on the terminal, one line of answer each. */
import type { Terminal } from "./terminal.js"

export interface Dialogue {
  readonly say: (text: string) => void
  /** The line that was typed; nothing when the person closed the input (Ctrl-D). Rejects when the signal is aborted. */
  readonly ask: (query: string, signal: AbortSignal) => Promise<string | undefined>
  readonly end: () => void
}

/** What is typed before a question is put answers none: consent is not given ahead. */
export async function dialogue({ stdin, stderr, signals }: Terminal): Promise<Dialogue> {
  const { createInterface } = await import("node:readline")
  const typed = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY === true, historySize: 0 })
  let answered: ((line: string | undefined) => void) | undefined
  let closed = false
  const settle = (text: string | undefined): void => {
    const waiting = answered
    answered = undefined
    waiting?.(text)
  }
  typed.on("line", settle)
  typed.on("close", () => {
    closed = true
    settle(undefined)
  })
  typed.on("SIGINT", () => signals.emit("SIGINT", "SIGINT"))

  return {
    say: (text) => void stderr.write(`${text}\n`),
    ask: (query, signal) =>
      new Promise((resolve, reject) => {
        if (closed) return resolve(undefined)
        const aborted = (): void => {
          answered = undefined
          stderr.write("\n")
          reject(signal.reason as Error)
        }
        if (signal.aborted) return aborted()
        signal.addEventListener("abort", aborted, { once: true })
        answered = (text) => {
          signal.removeEventListener("abort", aborted)
          resolve(text)
        }
        typed.setPrompt(query)
        typed.prompt()
      }),
    end: () => typed.close()
  }
}
