/** What was heard of a conversation, and what its handlers lived through, deed by deed. */
import type { Heard } from "./carrier.js"
import { Names } from "./carrier.js"

export class Ear {
  readonly names = new Names()
  /** Since the last deed began. */
  heard: Array<Heard> = []
  notes: Array<string> = []
  #wake = (): void => undefined

  begin(): void {
    this.heard = []
    this.notes = []
  }

  hear({ by, message }: Heard): void {
    this.heard.push({ by, message: this.names.plain(message) })
    this.#wake()
  }

  note(what: string): void {
    this.notes.push(what)
    this.#wake()
  }

  /** Once there is so much, or nothing more is to be expected. */
  async until(heard: number, notes: number, ms: number): Promise<void> {
    const isThere = (): boolean => this.heard.length >= heard && this.notes.length >= notes
    if (isThere()) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wake = () => {
        if (!isThere()) return
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wake = () => undefined
  }
}
