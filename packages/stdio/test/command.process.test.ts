import { spawn } from "node:child_process"
import { once } from "node:events"
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import type { Bundled } from "./bundle.js"
import { bundled } from "./bundle.js"
import { fixture } from "./pairs.js"
import type { Watch } from "./watch.js"
import { watch } from "./watch.js"

let client: Bundled
let lives: Watch
beforeAll(async () => void (client = await bundled("client.ts")))
afterAll(() => client.remove())
beforeEach(async () => void (lives = await watch()))
afterEach(() => lives.stop())

describe("command, when the client leaves without closing", () => {
  it.each([
    ["exits", (child: Started) => child.stdin.write("exit"), [7, null]],
    ["throws", (child: Started) => child.stdin.write("throw"), [1, null]],
    ["is interrupted", (child: Started) => child.kill("SIGINT"), [null, "SIGINT"]],
    ["is asked to stop", (child: Started) => child.kill("SIGTERM"), [null, "SIGTERM"]],
    ["loses its terminal", (child: Started) => child.kill("SIGHUP"), [null, "SIGHUP"]]
  ] as const)("takes the tree along when it %s, as it would have left alone", async (_, leave, status) => {
    const child = start({}, "stubborn", "wrapper")
    const tree = [await lives.started("a"), await lives.started("a-inner")]
    leave(child)
    expect(await exit(child)).toEqual(status)
    await Promise.all(tree.map(({ ended }) => ended))
  })

  it("lets a client that handles interrupts decide, and keeps the server", async () => {
    const child = start({ HANDLES: "yes" }, "echoes")
    const { ended } = await lives.started("a")
    const left = exit(child)
    child.kill("SIGINT")
    expect(await says(child)).toBe("handled\n")
    child.stdin.write("ask")
    expect(await says(child)).toBe("ready\n")
    child.stdin.write("exit")
    expect(await left).toEqual([7, null])
    await ended
  })

  it("leaves a polite server to the end of its input when it is killed", async () => {
    const child = start({}, "polite")
    const { ended } = await lives.started("a")
    child.kill("SIGKILL")
    await ended
  })
})

describe("command, when the client leaves after closing", () => {
  it("holds nothing open, though a process outside the tree keeps the server's streams", async () => {
    const child = start({}, "polite", "outsider")
    await lives.started("a")
    await lives.started("a-outside")
    const left = exit(child)
    child.stdin.write("close")
    expect(await left).toEqual([0, null])
  })
})

type Started = ReturnType<typeof start>

const start = (env: Record<string, string>, ...words: ReadonlyArray<string>) =>
  spawn(process.execPath, [client.path, process.execPath, fixture("alive.mjs"), lives.path, "a", ...words], {
    env: { ...process.env, ...env },
    stdio: ["pipe", "pipe", "ignore"]
  })

const says = async (child: Started): Promise<string> => String((await once(child.stdout, "data"))[0])

const exit = (child: Started): Promise<[code: number | null, signal: string | null]> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])))
