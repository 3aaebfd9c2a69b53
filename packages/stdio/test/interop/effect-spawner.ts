/** Starts processes for Effect's own MCP client with nothing but node: what its platform packages would do. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import * as Effect from "effect/Effect"
import { ExitCode, ProcessId, ChildProcessSpawner, make, makeHandle } from "effect/process/ChildProcessSpawner"
import * as Sink from "effect/Sink"
import * as Stream from "effect/Stream"

export const nodeSpawner = ChildProcessSpawner.of(
  make((command) =>
    Effect.gen(function* () {
      if (command._tag !== "StandardCommand") return yield* Effect.die("a plain command is expected")
      const child = spawn(command.command, command.args.map(String), {
        env: command.options.env as NodeJS.ProcessEnv,
        stdio: "pipe"
      })
      const gone = once(child, "close")
      yield* Effect.addFinalizer(() => Effect.sync(() => void child.kill()))
      const read = (stream: typeof child.stdout) => Stream.orDie(Stream.fromAsyncIterable(stream, (error) => error))
      return makeHandle({
        pid: ProcessId(child.pid!),
        exitCode: Effect.map(
          Effect.promise(async () => gone),
          ([code]) => ExitCode(code ?? 1)
        ),
        isRunning: Effect.sync(() => child.exitCode === null),
        kill: () => Effect.sync(() => void child.kill()),
        stdin: Sink.forEach((chunk: Uint8Array) => Effect.sync(() => void child.stdin.write(chunk))).pipe(
          Sink.ensuring(Effect.sync(() => void child.stdin.end()))
        ),
        stdout: read(child.stdout),
        stderr: read(child.stderr),
        all: Stream.empty,
        getInputFd: () => Sink.drain,
        getOutputFd: () => Stream.empty,
        unref: Effect.succeed(Effect.void)
      })
    })
  )
)
