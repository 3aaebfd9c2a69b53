import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { rolldown } from "rolldown"
import { afterAll, beforeAll, expect, it } from "vitest"

interface Browser {
  readonly look: (url: string) => Promise<{ readonly text: string; readonly problems: ReadonlyArray<string> }>
  readonly close: () => Promise<void>
}
const { chromium, found } = (await import(new URL("../../../fixtures/browser/chromium.mjs", import.meta.url).href)) as {
  chromium: (command: string) => Promise<Browser>
  found: (install: boolean) => string | undefined
}
const command = found(false)

const folder = mkdtempSync(join(tmpdir(), "browser-page-"))
const script = join(folder, "page.js")
let imports: ReadonlyArray<string> = ["not bundled yet"]
// Bundled from the sources, so that it is there without a build.
beforeAll(async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "../page.mjs"),
    platform: "browser",
    logLevel: "silent",
    tsconfig: false,
    resolve: { conditionNames: ["@parley/source", "import"] }
  })
  const { output } = await bundle.write({ file: script, format: "esm", codeSplitting: false })
  imports = output[0].imports
  await bundle.close()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs `start.mjs` while `use` runs. */
async function started<A>(use: (url: string) => Promise<A>): Promise<A> {
  const child = spawn(process.execPath, [join(import.meta.dirname, "../start.mjs"), script], {
    env: { ...process.env, PORT: "0" },
    stdio: ["ignore", "pipe", "inherit"]
  })
  try {
    const [url] = (await once(createInterface({ input: child.stdout }), "line")) as [string]
    return await use(url)
  } finally {
    child.kill("SIGKILL")
  }
}

it("is handed out with nothing of Node in it, under a policy without eval", async () => {
  expect(imports).toEqual([])
  await started(async (url) => {
    const page = await fetch(url)
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self';/)
    const text = await page.text()
    for (const [, name] of text.matchAll(/(?:href|src)="([^"]+)"/g))
      expect((await fetch(new URL(name!, url))).status).toBe(200)
    expect((await fetch(new URL("/nothing", url))).status).toBe(404)
  })
})

it.skipIf(command === undefined)("tells its story in a browser, in both eras", async () => {
  const browser = await chromium(command!)
  try {
    await started(async (url) => {
      expect(await browser.look(url)).toEqual({ text: "17 steps", problems: [] })
      expect(await browser.look(`${url}#2026-07-28`)).toEqual({ text: "18 steps", problems: [] })
    })
  } finally {
    await browser.close()
  }
})
