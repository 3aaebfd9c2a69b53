/** Starts processes, on Windows too, where a command such as `npx` is a script that has to be found first. */
// Who compiles this file from another project does not include the declaration otherwise.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./cross-spawn.d.ts" />
import type { ChildProcess, SpawnOptions } from "node:child_process"

export type Start = (command: string, args: ReadonlyArray<string>, options: SpawnOptions) => ChildProcess

/** Loaded on demand: a server loads this package too, starts no processes, and is to start quickly itself. */
export const starter = async (): Promise<Start> => (await import("cross-spawn")).default
