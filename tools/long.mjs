/** A million messages through both machines: nothing throws, nothing undeclared is answered, and every row is reached; then invariant 13, the soak and idle connections, at length. */
import { parseArgs } from "node:util"
import { clientMachine } from "../packages/core/dist/client/index.js"
import { handshakeRevisions, perRequestRevisions, revisions } from "../packages/core/dist/revisions/index.js"
import { serverMachine } from "../packages/core/dist/server/index.js"
import { askerOf } from "../packages/testing/dist/asker.js"
import { one, rarely, seeded } from "../packages/testing/dist/chance.js"
import { clientMove, clientOpening } from "../packages/testing/dist/client-moves.js"
import { ClientWorld } from "../packages/testing/dist/client-world.js"
import { reading } from "../packages/testing/dist/envelope.js"
import { notification, request } from "../packages/testing/dist/message.js"
import { move, opening } from "../packages/testing/dist/server-moves.js"
import { ServerWorld } from "../packages/testing/dist/server-world.js"
import { dated, has, methodsOf, nameable, questionsOf } from "../packages/testing/dist/specification.js"
import { carried } from "./carried.mjs"
import { idle } from "./idle.mjs"
import { soak } from "./soak.mjs"

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) }
  }
})
const wanted = Number(values.messages)
const seed = Number(values.seed)
/** How often each row must be reached: 1,000 times in a million, and in a shorter run what chance leaves of its share. */
const share = Math.floor(wanted / 1000)
const threshold = wanted < 1e6 ? Math.floor(share - 3 * Math.sqrt(share)) : share
const movesPerConversation = 60

const choose = seeded(seed)
const reached = new Map()
const refusals = new Map()
const questions = new Map()
const wrong = []
/** By which revision each request was made, in a conversation. */
const made = new WeakMap()
let messages = 0
let sound = 0

const define = (capabilities, rest = {}) => ({
  info: { name: "long-run", version: "1.0.0", title: "Long run" },
  instructions: undefined,
  capabilities,
  revisions,
  unsupported: "offer",
  early: "answer",
  pageSize: 2,
  tools: ["echo", "add", "a", "constructor"].map((name) => ({
    name,
    inputSchema: { type: "object" },
    ...(name === "echo" ? { annotations: { idempotentHint: true } } : {})
  })),
  resources: ["file:///a", "file:///b", "file:///c"].map((uri) => ({ uri, name: uri.slice(-1), title: "One" })),
  templates: [{ uriTemplate: "file:///{name}", name: "any" }],
  prompts: [
    { name: "a", arguments: [{ name: "x", required: true }] },
    { name: "constructor", title: "Another" }
  ],
  requires: { add: ["roots"] },
  caching: {},
  ...rest
})

const everything = define({
  logging: {},
  completions: {},
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  tools: { listChanged: true },
  tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } }
})
/** Half of all conversations are with a server that declares everything, so that its rarest rows are reached. */
const servers = [
  [everything, {}],
  [define({ tools: {} }, { pageSize: 50 }), {}],
  [everything, {}],
  [define({}), {}],
  [{ ...everything, revisions: handshakeRevisions }, {}],
  [define({ tools: {}, resources: {} }, { early: "refuse", unsupported: "refuse" }), { maxInFlight: 2 }],
  [everything, { salt: 99, maxSubscriptions: 1, cancels: "exchange" }],
  [{ ...everything, revisions: handshakeRevisions }, {}],
  [{ ...everything, revisions: perRequestRevisions }, { maxSealed: 500 }],
  [define({ tools: { listChanged: true } }, { revisions: handshakeRevisions.slice(3) }), { maxInFlight: 2 }]
].map(serverOf)

const everyQuestion = {
  roots: { listChanged: true },
  sampling: {},
  elicitation: { form: {}, url: {} },
  tasks: { list: {}, cancel: {} }
}
const clients = [
  [{ capabilities: everyQuestion }, {}],
  [{ capabilities: everyQuestion }, { salt: 99, askMs: 1_000 }],
  [{ capabilities: everyQuestion }, { maxAsks: 3 }],
  [{ capabilities: {} }, { cancels: "exchange" }],
  [{ capabilities: everyQuestion, revisions: handshakeRevisions }, {}],
  [{ capabilities: everyQuestion, revisions: perRequestRevisions }, {}],
  [{ capabilities: everyQuestion, prefer: "2026-07-28" }, {}],
  [{ capabilities: everyQuestion, prefer: "oldest" }, {}],
  [{ capabilities: { roots: {} }, revisions: handshakeRevisions.slice(1) }, {}]
].map(clientOf)

/** Of each revision a server and a client that speak it alone, and have all that there is: for what was reached the least so far. */
const alone = Object.fromEntries(
  dated.map((name) => {
    const spoken = { revisions: revisions.filter((revision) => revision.name === name) }
    return [
      name,
      {
        client: serverOf([{ ...everything, ...spoken }, {}]),
        server: clientOf([{ capabilities: everyQuestion, ...spoken }, {}])
      }
    ]
  })
)
const rows = ["client", "server"].flatMap((side) =>
  dated.flatMap((revision) =>
    sentBy(side).flatMap((method) => (rowOf(revision, side, method) ? [{ revision, side, method }] : []))
  )
)

/** Every reason there is to refuse a server's client, those aside that only handlers have. */
const mustRefuse = [
  "AlreadyInitialized",
  "ArgumentMissing",
  "ArgumentsInvalid",
  "BatchRefused",
  "CapabilityMissing",
  "Chosen",
  "CursorInvalid",
  "EnvelopeInvalid",
  "HandlerCrashed",
  "HeaderMismatch",
  "IdInUse",
  "Interrupted",
  "InvalidRequest",
  "MethodUndeclared",
  "MethodUnknown",
  "NotInitialized",
  "NotReady",
  "ParamsInvalid",
  "ParseFailed",
  "PromptUnknown",
  "ResourceUnknown",
  "ResultInvalid",
  "RevisionUnsupported",
  "StateRefused",
  "Stopping",
  "ToolUnknown",
  "TooLarge",
  "TooManyRequests",
  "TooManySubscriptions",
  "VersionUnsupported"
]
const mustSend = [
  "asked inside a result",
  "handlers run again",
  "sent elicitation/create",
  "sent notifications/cancelled",
  "sent notifications/message",
  "sent notifications/progress",
  "sent notifications/resources/updated",
  "sent notifications/subscriptions/acknowledged",
  "sent notifications/tools/list_changed",
  "sent ping",
  "sent roots/list",
  "sent sampling/createMessage"
]

const began = performance.now()
while (!isOver()) {
  converseAsClient(one(choose, servers))
  converseAsServer(one(choose, clients))
  for (const _ of [1, 2, 3, 4]) catchUp(rarest())
}
report((performance.now() - began) / 1000)
// A shorter run is about the machines alone: the rest has stages of its own.
if (wanted >= 1e6) {
  const passed = [await carried(1000, seed), await soak({ sessions: 2000, rounds: 10, seed }), await idle(10_000)]
  if (passed.includes(false)) process.exitCode = 1
}

function serverOf([definition, options]) {
  return [definition, serverMachine(definition, options), options]
}

function clientOf([definition, options]) {
  const whole = { info: { name: "caller", version: "1.0.0" }, revisions, ...definition }
  return [whole, clientMachine(whole, options), options]
}

function sentBy(side) {
  return [...new Set(dated.flatMap((revision) => [...methodsOf(revision, side).keys()]))]
}

/** The row that was reached the least so far: the next conversation is one in which it may be. */
function rarest() {
  let [least, found] = [Infinity, rows[0]]
  for (const row of rows) {
    const times = timesOf(row)
    if (times < least) [least, found] = [times, row]
  }
  return found
}

function timesOf({ revision, side, method }) {
  return reached.get(`${revision} ${side} ${method}`) ?? 0
}

function catchUp({ side, revision, method }) {
  if (side === "client") converseAsClient(alone[revision].client, method)
  else converseAsServer(alone[revision].server, method)
}

/** Now and then the method that is wanted, where it can be sent just so. */
function aimed(world, wanted) {
  const { scene } = world
  const kind = methodsOf(scene.revision, scene.from).get(wanted)?.kind
  if (kind === undefined || (scene.from === "server" && asksInside(scene.revision)) || !rarely(choose, 5))
    return undefined
  const json = (kind === "request" ? request : notification)(scene, choose, wanted)
  return { _tag: "Received", json, via: world.via(false) }
}

function isOver() {
  return messages >= wanted
}

function converseAsClient([definition, machine, options], wanted) {
  const world = new ServerWorld(definition, machine, options)
  for (const input of opening(world, choose)) tally(world, world.take(input), "client", definition.capabilities)
  for (let left = movesPerConversation; left > 0 && !world.closed; left--) {
    const input = aimed(world, wanted) ?? move(world, choose)
    if (rarely(choose, 50)) world.move()
    tally(world, world.take(input), "client", definition.capabilities)
  }
}

function converseAsServer([definition, machine, options], wanted) {
  const world = new ClientWorld(definition, machine, options)
  for (const next of clientOpening(world, choose)) tally(world, world.take(next()), "server", definition.capabilities)
  for (let left = movesPerConversation; left > 0 && !world.closed; left--) {
    const input = aimed(world, wanted) ?? clientMove(world, choose)
    if (rarely(choose, 50)) world.move()
    tally(world, world.take(input), "server", definition.capabilities)
  }
}

/** Counts what a step reached and refused, and judges it by the specification's own list of methods. */
function tally(world, { input, outputs, threw }, from, declared) {
  if (threw !== undefined) wrong.push(`step threw on ${JSON.stringify(input).slice(0, 200)}: ${threw}`)
  const session = world.revision ?? world.definition.revisions.at(-1).name
  let ignored = false
  let answered = false
  for (const output of outputs) {
    switch (output._tag) {
      case "Invoke":
        served(output.peer.revision, from, methodOf(output.target), declared)
        if (output.answers !== undefined) count(questions, "handlers run again")
        break
      case "Ask":
        served(session, from, output.method, declared)
        break
      case "Send":
        if (from === "client") count(questions, asked(output.message))
        answered ||= input._tag === "Received" && (output.message.result !== undefined || acknowledges(output.message))
        break
      case "Settle":
        if (output.outcome._tag === "Failed") count(refusals, `call ${output.outcome.error._tag}`)
        break
      case "Report":
        ignored ||= output.report._tag === "Ignored"
        if (output.report._tag === "Refused") count(refusals, output.report.failure._tag)
        break
    }
  }
  if (input._tag === "Garbled") messages++
  if (input._tag !== "Received") return
  for (const json of Array.isArray(input.json) ? input.json : [input.json]) {
    messages++
    const read = reading(json)
    const asker =
      from === "client" &&
      read.kind === "request" &&
      askerOf(world.definition, read, input.header, world.revision !== undefined)
    const revision = asker ? asker.revision : read.kind === "request" ? session : aboutOf(world, read, session)
    if (read.kind === "request") requestsOf(world).set(read.id, revision)
    const known = methodsOf(revision, from).get(read.method)
    const open = asker ? asker.fault === undefined : world.revision !== undefined
    // Where a side has no requests its notifications are what it has to say.
    const kind = from === "server" && asksInside(revision) ? "notification" : "request"
    if (read.kind === kind && known?.kind === kind && open) sound++
    if (json !== input.json) continue
    if (answered && read.kind === "request") served(revision, from, read.method, declared)
    if (!ignored && read.kind === "notification") served(revision, from, read.method)
  }
}

function requestsOf(world) {
  if (!made.has(world)) made.set(world, new Map())
  return made.get(world)
}

/** The revision of a notification: that of the request it withdraws, and else the session's. */
function aboutOf(world, { method, params }, session) {
  return (method === "notifications/cancelled" && requestsOf(world).get(params?.requestId)) || session
}

function acknowledges({ method }) {
  return method === "notifications/subscriptions/acknowledged"
}

function methodOf(target) {
  return { Tool: "tools/call", Prompt: "prompts/get" }[target._tag] ?? target.method
}

/** What the server machine sent on its own. */
function asked(message) {
  if (typeof message.method === "string") return `sent ${message.method}`
  return message.result?.resultType === "input_required" ? "asked inside a result" : "replies"
}

function served(revision, from, method, declared) {
  const known = rowOf(revision, from, method)
  count(reached, `${revision} ${from} ${method}`)
  const path = known?.needs?.path
  if (known === undefined) wrong.push(`${method} was served on ${revision}, which has no such method`)
  else if (declared !== undefined && path !== undefined && !has(declared, path))
    wrong.push(`${method} was served on ${revision}, and ${path} was not declared (${nameable(revision, path)})`)
}

function asksInside(revision) {
  return ![...methodsOf(revision, "server").values()].some(({ kind }) => kind === "request")
}

/** What a side may send, and what a server may ask inside a result. */
function rowOf(revision, side, method) {
  return methodsOf(revision, side).get(method) ?? (side === "server" ? questionsOf(revision).get(method) : undefined)
}

function count(counts, key) {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

function report(seconds) {
  const rare = []
  for (const side of ["client", "server"]) {
    console.log(`\nSent by the ${side}, and let in:`)
    console.log(`  ${"".padEnd(40)}${dated.map((revision) => revision.padStart(12)).join("")}`)
    for (const method of sentBy(side)) {
      const cells = dated.map((revision) => {
        if (rowOf(revision, side, method) === undefined) return "-"
        const times = timesOf({ revision, side, method })
        if (times < threshold) rare.push(`${revision} ${side} ${method}: ${times}`)
        return String(times)
      })
      console.log(`  ${method.padEnd(40)}${cells.map((cell) => cell.padStart(12)).join("")}`)
    }
  }
  console.log("\nRefused:")
  for (const [tag, times] of [...refusals].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${tag.padEnd(40)}${String(times).padStart(12)}`)
  console.log("\nAsked and told by the server:")
  for (const [what, times] of [...questions].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    console.log(`  ${what.padEnd(40)}${String(times).padStart(12)}`)
  const unmet = [
    ...mustRefuse.filter((tag) => !refusals.has(tag)).map((tag) => `nothing was ever refused as ${tag}`),
    ...mustSend.filter((what) => !questions.has(what)).map((what) => `the server never ${what}`)
  ]
  for (const line of unmet) console.error(line)
  for (const line of wrong.slice(0, 20)) console.error(`wrong: ${line}`)
  for (const line of rare) console.error(`reached less than ${threshold} times: ${line}`)
  if (sound * 2 < messages)
    console.error("less than half of the messages were well-formed requests for real methods after a handshake")
  const percent = Math.round((100 * sound) / messages)
  console.log(
    `\n${messages} messages in ${seconds.toFixed(1)} s, ${percent}% of them well-formed requests after a handshake, seed ${seed}`
  )
  const passed = unmet.length === 0 && wrong.length === 0 && rare.length === 0 && sound * 2 >= messages
  console.log(passed ? "passed" : "failed")
  process.exitCode = passed ? 0 : 1
}
