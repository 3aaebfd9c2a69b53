/** A process of streams in memory, which tells with what code it was left. */
import { EventEmitter } from "node:events"
import { PassThrough } from "node:stream"
import type { ProcessLike } from "../src/stdio.js"

export class Stage extends EventEmitter implements ProcessLike {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly stderr = new PassThrough()
  exitCode: number | undefined
  exit(code: number): void {
    this.emit("left", code)
  }
}
