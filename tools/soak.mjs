/** Clients by the thousand, many of them bad ones: all that should be answered is, and the server is afterwards what it was before. */
import { fork } from "node:child_process"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { seeded } from "../packages/testing/dist/chance.js"
import { agent } from "./soak/client.mjs"
import { alone, halfClosed, halfOpen, inSession, left, opened, refuses } from "./soak/deeds.mjs"

const mebibyte = 1024 * 1024
/** What a heap may have more than before: what the engine has compiled meanwhile, and no sessions. */
const slack = 4 * mebibyte

/** Prints what it saw, and says whether all was well. */
export async function soak({ sessions, rounds, seed }) {
  const server = fork(join(import.meta.dirname, "soak/server.mjs"), [], { execArgv: ["--expose-gc"] })
  const exited = new Promise((resolve) => server.once("exit", (code) => resolve(code)))
  let crashed = false
  void exited.then(() => (crashed = true))
  const told = () =>
    Promise.race([
      new Promise((resolve) => server.once("message", resolve)),
      exited.then((code) => Promise.reject(new Error(`the server exited with ${code}`)))
    ])
  const { url } = await told()
  const stats = () => {
    server.send("stats")
    return told()
  }
  const choose = seeded(seed)
  const wrong = []
  const began = performance.now()

  // What is loaded and compiled when it is first needed is there before anything is measured.
  await round(url, choose, Math.min(300, sessions), {}, wrong)
  const before = await rested(stats)
  line("before", before)
  const counts = {}
  let after = before
  for (let number = 1; number <= rounds && wrong.length === 0; number++) {
    await round(url, choose, sessions, counts, wrong)
    line(`round ${number}: under load`, await stats())
    after = await rested(stats)
    line(`round ${number}: at rest`, after)
  }
  if (after.sessions + after.answers > 0) wrong.push(`left open: ${after.sessions} sessions, ${after.answers} answers`)
  if (after.sockets > before.sockets) wrong.push(`left open: ${after.sockets - before.sockets} sockets`)
  if (after.crashes > 0) wrong.push(`${after.crashes} crashes were reported`)
  const grown = after.heapUsed - before.heapUsed
  if (grown > slack) wrong.push(`the heap has grown by ${(grown / mebibyte).toFixed(1)} MiB`)
  agent.destroy()
  if (crashed) wrong.push("the server is gone")
  else {
    server.send("close")
    const code = await exited
    if (code !== 0) wrong.push(`the server exited with ${code}`)
  }
  for (const what of wrong.slice(0, 20)) console.error(`wrong: ${what}`)
  const said = Object.entries(counts).map(([what, count]) => `${count} ${names[what]}`)
  console.log(`${rounds * sessions} sessions: ${said.join(", ")}`)
  console.log(
    `heap ${(before.heapUsed / mebibyte).toFixed(1)} MiB before and ${(after.heapUsed / mebibyte).toFixed(1)} after, ` +
      `in ${((performance.now() - began) / 1000).toFixed(0)} s, seed ${seed}`
  )
  return wrong.length === 0
}

const names = {
  answered: "calls answered",
  cancelled: "cancelled",
  cut: "streams cut",
  resumed: "read on",
  slow: "slow readers",
  refused: "refused POSTs",
  halfOpen: "half-open sockets",
  abandoned: "sessions abandoned"
}

/** So many clients, 64 of them at a time; half as many again are refused, and some are half open. */
async function round(url, choose, sessions, counts, wrong) {
  for (const name of Object.keys(names)) counts[name] ??= 0
  const work = Array.from({ length: sessions }, (_, at) => async () => {
    if (at % 2 === 0) await refuses(url, choose, counts)
    if (at % 20 === 1) await (at % 40 === 1 ? halfOpen : halfClosed)(url, counts)
    await one(url, choose, counts)
  })
  const works = async () => {
    for (let next = work.pop(); next !== undefined && wrong.length < 20; next = work.pop())
      await next().catch((error) => wrong.push(error.message))
  }
  await Promise.all(Array.from({ length: 64 }, works))
}

/** What one client does, with a session and without. */
async function one(url, choose, counts) {
  const session = await opened(url, choose)
  for (let left = 1 + choose(5); left > 0; left--) {
    const deeds = choose(3) === 0 ? alone : inSession
    const all = Object.keys(deeds)
    const name = all[choose(all.length)]
    // What takes long is rare.
    await deeds[name === "dawdles" && choose(4) > 0 ? "echo" : name](session, counts)
  }
  if (choose(3) === 0) counts.abandoned++
  else await left(session)
}

/** How it is when nobody has asked anything for as long as the server remembers. */
async function rested(stats) {
  let now = await stats()
  for (let left = 100; left > 0; left--) {
    await new Promise((resolve) => setTimeout(resolve, 200))
    now = await stats()
    if (now.sessions + now.answers + now.sockets === 0) break
  }
  return now
}

function line(when, { heapUsed, rss, sessions, answers, sockets }) {
  const mebibytes = [heapUsed, rss].map((bytes) => `${(bytes / mebibyte).toFixed(1)} MiB`)
  console.log(
    `${when}: heap ${mebibytes[0]}, rss ${mebibytes[1]}, ${sessions} sessions, ${answers} answers, ${sockets} sockets`
  )
}

if (import.meta.filename === process.argv[1]) {
  const { values } = parseArgs({
    options: {
      long: { type: "boolean", default: false },
      sessions: { type: "string", default: "2000" },
      rounds: { type: "string" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) }
    }
  })
  const rounds = Number(values.rounds ?? (values.long ? 10 : 1))
  const passed = await soak({ sessions: Number(values.sessions), rounds, seed: Number(values.seed) })
  console.log(passed ? "passed" : "failed")
  process.exitCode = passed ? 0 : 1
}
