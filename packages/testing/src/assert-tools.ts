/** Calls the tools of a server with arguments drawn from their schemas, and holds the handlers to what the tools announce. */
import type { JsonObject } from "@parley/core"
import { link } from "@parley/driver"
import type { Validator } from "@parley/json-schema"
import { fromJsonSchema, isDeferred } from "@parley/json-schema"
import type { Live, Server } from "@parley/server"
import { serve } from "@parley/server"
import * as fc from "fast-check"
import { drawnFrom } from "./arguments.js"
import type { Came, Caller, ToolCall } from "./caller.js"
import { caller } from "./caller.js"
import { one, tape } from "./chance.js"
import { own } from "./envelope.js"
import { byHandshake, byRequest, saysWhoAsks } from "./specification.js"
import { broken } from "./value.js"

export interface ToolsOptions {
  /** Calls of each tool. Default 50. */
  readonly runs?: number
  /** The seed a failure printed, to see it again. */
  readonly seed?: number
  /** Only these tools; all of them by default. Leave out what must not be done for a test, such as sending mail. */
  readonly only?: ReadonlyArray<string>
  /** How long a call may take, in ms. Default 2,000. */
  readonly timeoutMs?: number
  /** How long all calls together may take, in ms; when that was not enough, it fails and says so. Default 60,000. */
  readonly timeLimitMs?: number
  /** So many questions of one call are answered, and as many more declined; a tool must not ask after that. Default 20. */
  readonly questions?: number
  /** Stops it: the handler that runs is interrupted, and the promise rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/**
 * Runs the handlers of every tool, with arguments that its input schema accepts and with broken ones. No handler may throw or
 * fail to end; a result fits the tool's output schema or is an `isError` result; broken arguments are refused. What a tool asks
 * is answered, declined or cancelled, and when it has asked often, declined: then it has to come to an end. Tools that may be
 * tasks are called as such too. A server that is opened in both ways, by a handshake and by what each request says, is called
 * in the newest revision of each.
 *
 * ```ts
 * import { defineServer, tool } from "@parley/server"
 *
 * const input = { type: "object", properties: { a: { type: "number" } }, required: ["a"] } as const
 * const double = tool("double", { input }, ({ a }) => String(2 * a))
 * await assertTools(defineServer({ name: "calculator", version: "1.0.0" }, [double]), { runs: 20 })
 * ```
 *
 * Rejects with the tool, the shortest arguments found, and what came of them; of a live server the tools that it has now are
 * called. It ends by itself, whatever handlers do, unless one never gives way to anything else in its process.
 */
export async function assertTools(subject: Server | Live, options: ToolsOptions = {}): Promise<void> {
  const server = subject._tag === "Live" ? subject.server : subject
  const { runs = 50, seed = Date.now() | 0, only, timeoutMs = 2_000, timeLimitMs = 60_000, questions = 20 } = options
  const { signal } = options
  await server.ready
  signal?.throwIfAborted()
  const { tools, revisions } = server.definition
  const absent = only?.find((one) => !tools.some(({ name }) => name === one))
  if (absent !== undefined) throw new TypeError(`There is no tool ${absent}`)
  const thrown: Array<unknown> = []
  const serving: Array<Promise<unknown>> = []
  const called = async (version: string): Promise<Caller> => {
    const [near, far] = link()
    const { closed } = serve(server, near, {
      drainMs: 0,
      crashed: (_, error) => void thrown.push(error),
      report: (report) =>
        void (report._tag === "Unsendable" && thrown.push(new Error(`${report.method}: ${report.why}`)))
    })
    serving.push(closed)
    return caller(far, { version, questions, signal })
  }
  const isSpoken = (version: string): boolean => revisions.some(({ name }) => name === version)
  const versions = [byRequest, byHandshake].flatMap((kind) => kind.findLast(isSpoken) ?? [])
  const clients = await Promise.all(versions.map(called))
  const limits = { runs, seed, timeoutMs, timeLimitMs, signal, end: Date.now() + timeLimitMs }
  try {
    for (const tool of tools) {
      if (only !== undefined && !only.includes(tool.name)) continue
      const input = await judge(tool.inputSchema)
      const callers = await Promise.all(
        clients.map(async (client) => {
          const output = judgedOutput(own(tool, "outputSchema"), client.revision)
          return { client, output: output && (await judge(output)) }
        })
      )
      const asks = server.tools.get(tool.name)?.options.asks ?? {}
      await held({ callers, tool, thrown, input, asks, limits, stuck: false })
    }
  } finally {
    await Promise.all(clients.map((client) => client.close()))
    await Promise.all(serving)
  }
}

/** The tool as a client sees it, in the newest of the revisions that are opened in one way. */
interface Calling {
  readonly client: Caller
  readonly output: Validator | undefined
}

interface Trial {
  readonly callers: ReadonlyArray<Calling>
  readonly tool: { readonly name: string; readonly inputSchema: JsonObject }
  readonly thrown: Array<unknown>
  readonly input: Validator
  readonly asks: { readonly [key: string]: { readonly method: string } }
  readonly limits: Limits
  /** A call did not end: that is shown as it is, for each attempt to shorten it would take as long. */
  stuck: boolean
}

interface Limits {
  readonly runs: number
  readonly seed: number
  readonly timeoutMs: number
  readonly timeLimitMs: number
  readonly signal: AbortSignal | undefined
  /** When all of it must be over. */
  readonly end: number
}

/** Before 2026-07-28 clients are told of objects only, and before 2025-06-18 of none; the server itself has judged the rest. */
function judgedOutput(schema: unknown, revision: unknown): JsonObject | undefined {
  if (saysWhoAsks(revision)) return schema as JsonObject | undefined
  const told = revision === "2025-11-25" || revision === "2025-06-18"
  return told && own(schema, "type") === "object" ? (schema as JsonObject) : undefined
}

async function judge(schema: JsonObject): Promise<Validator> {
  const made = fromJsonSchema(schema)
  return isDeferred(made) ? made.ready : made
}

async function held(trial: Trial): Promise<void> {
  const { tool, limits } = trial
  const { name } = tool
  const { runs, seed, timeLimitMs, signal, end } = limits
  let [done, fitting] = [0, 0]
  const property = fc.asyncProperty(numbers, async (drawn) => {
    if (trial.stuck || signal?.aborted === true || Date.now() >= end) return
    const call = await draw(trial, drawn)
    const why = await wrong(trial, call)
    if (why !== undefined) throw new Error(why)
    if (Date.now() >= end) return
    done++
    if (call.fits) fitting++
  })
  const found = await fc.check(property, { numRuns: runs, seed })
  signal?.throwIfAborted()
  if (found.failed && found.counterexample !== null) {
    const { args, asTask } = await draw(trial, found.counterexample[0])
    const why = saidBy(found.errorInstance)
    const call = `${name}(${JSON.stringify(args)})${asTask ? " as a task" : ""}`
    throw new Error(
      `The tool ${name} does not keep its word: ${why}\n\n${call}\n\nSee it again with { seed: ${seed} }.`
    )
  }
  if (done < runs)
    throw new Error(
      `Only ${done} of ${runs} calls of the tool ${name} could be had within ${timeLimitMs} ms. Give fewer \`runs\`, or leave it out with \`only\`.`
    )
  if (fitting === 0 && runs > 20)
    throw new Error(
      `No arguments were found that the tool ${name} accepts: its schema can not be followed. Leave it out with \`only\`.`
    )
}

const numbers = fc.array(fc.noBias(fc.nat(0xffff)), { maxLength: 30, size: "max" })

interface DrawnCall extends Omit<ToolCall, "ms"> {
  readonly args: JsonObject
  readonly fits: boolean
  readonly by: Calling
}

/** Two of three are such as the tool takes, as far as its schema can be followed; the validator says what they are. */
async function draw({ callers, tool, input }: Trial, drawn: ReadonlyArray<number>): Promise<DrawnCall> {
  const choose = tape(drawn)
  const by = one(choose, callers)
  const spoilt = choose(3) === 2
  const whole = drawnFrom(tool.inputSchema, choose) as JsonObject
  const args = spoilt ? broken(whole, choose) : whole
  const support = by.client.revision === "2025-11-25" ? own(own(tool, "execution"), "taskSupport") : undefined
  const asTask = support === "required" || (support === "optional" && choose(2) === 1)
  return { name: tool.name, args, fits: (await input.validate(args)).ok, by, asTask, choose }
}

async function wrong(trial: Trial, { fits, by, ...call }: DrawnCall): Promise<string | undefined> {
  const { thrown, limits } = trial
  const { client, output } = by
  thrown.length = 0
  const ms = Math.max(1, Math.min(limits.timeoutMs, limits.end - Date.now()))
  const came = await client.call({ ...call, ms })
  trial.stuck = came._tag === "Late"
  if (thrown.length > 0) return `its handler failed: ${saidBy(thrown[0])}`
  if (came._tag !== "Replied") return unended(trial, came, ms)
  const { error, result } = came.reply
  if (error !== undefined) return owed(client.revision, fits, error)
  const isError = own(result, "isError") === true
  if (!fits) return isError ? undefined : "it took arguments that its input schema does not accept"
  if (isError || output === undefined) return undefined
  const judged = await output.validate(own(result, "structuredContent"))
  return judged.ok ? undefined : `its result does not fit its output schema: ${JSON.stringify(result)}`
}

function unended({ asks, limits }: Trial, came: Exclude<Came, { _tag: "Replied" }>, ms: number): string | undefined {
  switch (came._tag) {
    case "Stopped":
      return undefined
    case "Late":
      // What the end of all calls cut short may have been about to end.
      return ms < limits.timeoutMs ? undefined : `it did not end within ${ms} ms`
    case "Insisted": {
      const keys = Object.keys(asks).filter((key) => asks[key]!.method === came.method)
      const message = own(came.params, "message")
      const words = message === undefined ? "" : ` (${JSON.stringify(message)})`
      return `it asked ${came.times} times in one call, and went on when it was declined: ${keys.join(" or ")}${words}`
    }
  }
}

/** Arguments are refused by an error before 2025-11-25, and a page to visit first was one then; else a result belongs there. */
function owed(revision: unknown, fits: boolean, error: unknown): string | undefined {
  const code = own(error, "code")
  const older = revision !== "2025-11-25" && !saysWhoAsks(revision)
  if ((code === -32042 && !saysWhoAsks(revision)) || (code === -32602 && !fits && older)) return undefined
  return `it answered with an error where an isError result belongs: ${JSON.stringify(error)}`
}

const saidBy = (error: unknown): string => (error instanceof Error ? error.message : String(error))
