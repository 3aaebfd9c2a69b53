/** What is used of `cross-spawn`, which resolves commands on Windows (`npx` is `npx.cmd` there) and is plain `spawn` elsewhere. */
declare module "cross-spawn" {
  import type { ChildProcess, SpawnOptions } from "node:child_process"
  export default function spawn(command: string, args: ReadonlyArray<string>, options: SpawnOptions): ChildProcess
}
