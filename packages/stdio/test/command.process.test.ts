import { spawn } from "node:child_process"
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
    const child = start("stubborn", "wrapper")
    const tree = [await lives.started("a"), await lives.started("a-inner")]
    leave(child)
    expect(await exit(child)).toEqual(status)
    await Promise.all(tree.map(({ ended }) => ended))
  })

  it("leaves a polite server to the end of its input when it is killed", async () => {
    const child = start("polite")
    const { ended } = await lives.started("a")
    child.kill("SIGKILL")
    await ended
  })
})

type Started = ReturnType<typeof start>

const start = (...words: ReadonlyArray<string>) =>
  spawn(process.execPath, [client.path, process.execPath, fixture("alive.mjs"), lives.path, "a", ...words], {
    stdio: ["pipe", "pipe", "ignore"]
  })

const exit = (child: Started): Promise<[code: number | null, signal: string | null]> =>
  new Promise((resolve) => child.once("exit", (code, signal) => resolve([code, signal])))
