/** The command run inside the test, with streams of its own and real servers. */
import { EventEmitter } from "node:events"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { PassThrough } from "node:stream"
import { run } from "../src/run.js"

export interface Ran {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

export interface Stage {
  readonly env?: Readonly<Record<string, string>>
  /** What is on standard input, when that is no terminal. */
  readonly input?: string
  /** A person at a terminal: what to type when a text appears on stderr, in order; `^C` is Ctrl-C. */
  readonly types?: ReadonlyArray<readonly [when: string, line: string]>
}

export async function parley(argv: ReadonlyArray<string>, { env = {}, input, types }: Stage = {}): Promise<Ran> {
  const stdin = new PassThrough()
  const stdout = new PassThrough()
  const stderr = new PassThrough()
  const signals = new EventEmitter()
  let [told, said, seen] = ["", "", 0]
  const waiting = [...(types ?? [])]
  stdout.on("data", (chunk: Buffer) => (told += String(chunk)))
  stderr.on("data", (chunk: Buffer) => {
    said += String(chunk)
    const [next] = waiting
    const at = next === undefined ? -1 : said.indexOf(next[0], seen)
    if (next === undefined || at < 0) return
    waiting.shift()
    seen = said.length
    setImmediate(() => (next[1] === "^C" ? signals.emit("SIGINT", "SIGINT") : stdin.write(`${next[1]}\n`)))
  })
  if (types === undefined) stdin.end(input ?? "")
  else Object.assign(stdin, { isTTY: true })
  const code = await run(argv, {
    stdin,
    stdout,
    stderr: types === undefined ? stderr : Object.assign(stderr, { isTTY: true, columns: 100 }),
    env: { NO_COLOR: "1", ...env },
    signals,
    exit: (code) => {
      throw new Error(`left with ${code}`)
    },
    version: "1.0.0"
  })
  await new Promise((resolve) => setImmediate(resolve))
  return { code, stdout: told, stderr: said }
}

export interface Standing {
  /** What it has printed first: where it is reached. */
  readonly url: string
  readonly stderr: () => string
  /** Ends it as a person does, and gives the exit code. */
  readonly stop: () => Promise<number>
}

/** A command that goes on until it is stopped. */
export async function standing(argv: ReadonlyArray<string>): Promise<Standing> {
  const [stdin, stdout, stderr, signals] = [new PassThrough(), new PassThrough(), new PassThrough(), new EventEmitter()]
  let said = ""
  stderr.on("data", (chunk: Buffer) => (said += String(chunk)))
  const first = new Promise<string>((resolve) => stdout.once("data", (chunk: Buffer) => resolve(String(chunk).trim())))
  const code = run(argv, {
    stdin,
    stdout,
    stderr,
    env: { NO_COLOR: "1" },
    signals,
    exit: (code) => {
      throw new Error(`left with ${code}`)
    },
    version: "1.0.0"
  })
  const url = await Promise.race([
    first,
    code.then((code) => {
      throw new Error(`it left with ${code}: ${said}`)
    })
  ])
  return {
    url,
    stderr: () => said,
    stop: () => {
      signals.emit("SIGTERM", "SIGTERM")
      return code
    }
  }
}

/** A program that is spoken to on its streams, as a transport of the official SDKs, which differ in nothing that matters here. */
export function spoken(argv: ReadonlyArray<string>) {
  const [stdin, stdout, stderr, signals] = [new PassThrough(), new PassThrough(), new PassThrough(), new EventEmitter()]
  stderr.resume()
  let rest = ""
  const transport = {
    onmessage: undefined as ((message: never) => void) | undefined,
    onclose: undefined as (() => void) | undefined,
    onerror: undefined as ((error: Error) => void) | undefined,
    code: undefined as Promise<number> | undefined,
    start: async () => {
      transport.code = run(argv, {
        stdin,
        stdout,
        stderr,
        env: { NO_COLOR: "1" },
        signals,
        exit: () => undefined,
        version: "1.0.0"
      })
      void transport.code.then(() => transport.onclose?.())
    },
    send: async (message: unknown) => void stdin.write(`${JSON.stringify(message)}\n`),
    close: async () => {
      stdin.end()
      await transport.code
    }
  }
  stdout.on("data", (chunk: Buffer) => {
    const lines = (rest + String(chunk)).split("\n")
    rest = lines.pop()!
    for (const line of lines) transport.onmessage?.(JSON.parse(line) as never)
  })
  return transport
}

/** Times differ from run to run. */
export const timeless = (text: string): string =>
  text
    .replaceAll(/ *\d+(?:\.\d+)? ms/g, " N ms")
    .replaceAll(/\n +after N ms/g, "\n after N ms")
    .replaceAll(process.execPath, "node")
    .replaceAll(here, "")

const here = join(import.meta.dirname, "fixtures/")

/** A server of the fixtures. */
export const fixture = (name: string): ReadonlyArray<string> => ["--", process.execPath, join(here, `${name}.mjs`)]

/** A server of the npm registry. */
export function official(name: string, ...args: ReadonlyArray<string>): ReadonlyArray<string> {
  const manifest = createRequire(import.meta.url).resolve(`@modelcontextprotocol/${name}/package.json`)
  return ["--", process.execPath, join(dirname(manifest), "dist/index.js"), ...args]
}

/** A server that is a few words of JavaScript. */
export const script = (code: string): ReadonlyArray<string> => ["--", process.execPath, "-e", code]

/** What a terminal would obey, or not show as it is read. */
// oxlint-disable-next-line no-control-regex -- finding them is the purpose
export const obeyed = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/
