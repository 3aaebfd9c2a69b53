/**
 * Makes the pictures of docs/cli.md from what the built command really prints: `node packages/cli/screenshots/make.mjs`.
 * Needs `script` (util-linux), Chromium (`CHROMIUM` names it where it is called otherwise) and pngquant.
 */
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, relative } from "node:path"
import { fileURLToPath } from "node:url"
import { html, themes } from "./html.mjs"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const dinner = "node packages/cli/screenshots/dinner.mjs"
const broken = "node packages/cli/screenshots/broken.mjs"

/** What is typed at the prompt, what it runs, and what the person answers. */
const shots = [
  { name: "cli-inspect", shown: "parley inspect -- node dinner.mjs", run: `inspect -- ${dinner}` },
  { name: "cli-remarks", shown: "parley inspect -- node broken.mjs", run: `inspect -- ${broken}` },
  {
    name: "cli-form",
    shown: "parley call book -- node dinner.mjs",
    run: `call book -- ${dinner}`,
    answers: ["13", "4", "2", "1, vegan", "", "y"]
  }
]

const folder = mkdtempSync(join(tmpdir(), "parley-screenshots-"))
for (const { name, shown, run, answers = [] } of shots) {
  const text = (await typed(`node packages/cli/dist/bin.js ${run}`, answers))
    .replaceAll("packages/cli/screenshots/", "")
    .trim()
  for (const [theme, colours] of Object.entries(themes)) {
    const page = html(shown, text, colours)
    const file = join(folder, `${name}-${theme}.html`)
    writeFileSync(file, page.text)
    const picture = join(root, "docs/images", `${name}-${theme}.png`)
    const { status, stderr } = spawnSync(process.env.CHROMIUM ?? "chromium", [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--hide-scrollbars",
      "--disable-lcd-text",
      "--force-device-scale-factor=1.5",
      `--window-size=${page.width},${page.height}`,
      `--screenshot=${picture}`,
      file
    ])
    if (status !== 0) throw new Error(`${name}: ${stderr.toString()}`)
    spawnSync("pngquant", ["--force", "--ext", ".png", "--speed", "1", "64", picture], { stdio: "inherit" })
    console.log(relative(root, picture))
  }
}
rmSync(folder, { recursive: true, force: true })

/** Runs it at a terminal of 100 columns, where each question is answered by the next answer. */
function typed(command, answers) {
  return new Promise((resolve) => {
    const child = spawn("script", ["-qec", `stty cols 100; ${command}`, "/dev/null"], {
      cwd: root,
      env: { ...process.env, TERM: "xterm-256color" },
      stdio: ["pipe", "pipe", "inherit"]
    })
    let text = ""
    let seen = 0
    child.stdout.on("data", (chunk) => {
      text += chunk
      const at = text.indexOf(" > ", seen)
      if (at < 0 || answers.length === 0) return
      seen = at + 3
      const answer = answers.shift()
      setTimeout(() => child.stdin.write(`${answer}\r`), 50)
    })
    child.on("exit", () => resolve(text))
  })
}
