/** Runs the checks in workerd, and talks to the server in it over HTTP from here. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { pathToFileURL } from "node:url"
import { bundled } from "./bundled.mjs"

const config = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "2026-11-01"
);
`

/** `command`: the program itself. */
export async function inWorkerd(command, corpus, folder) {
  await bundled("worker", "browser", join(folder, "worker.js"))
  await bundled("outside", "node", join(folder, "outside.mjs"))
  writeFileSync(join(folder, "worker.capnp"), config)
  const child = spawn(command, ["serve", join(folder, "worker.capnp"), "--control-fd=3"], {
    stdio: ["ignore", "pipe", "pipe", "pipe"]
  })
  // It warns of much; that is shown where something is wrong.
  let words = ""
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text) => (words = `${words}${text}`.slice(-2_000)))
  try {
    const gone = once(child, "exit").then(([code]) => Promise.reject(new Error(`workerd ended (${code}): ${words}`)))
    gone.catch(() => undefined)
    const [line] = await Promise.race([once(createInterface({ input: child.stdio[3] }), "line"), gone])
    const origin = `http://127.0.0.1:${JSON.parse(line).port}`
    const body = JSON.stringify(corpus)
    const answer = await Promise.race([fetch(`${origin}/check`, { method: "POST", body }), gone])
    const { compiles, inside, ...found } = await answer.json()
    const { outside } = await import(pathToFileURL(join(folder, "outside.mjs")).href)
    const over = await outside(`${origin}/mcp`, `${origin.replace("http", "ws")}/ws`)
    const verdicts = { ...found, ...over, ...(inside !== "ok" && { fetch: inside }) }
    if (Object.values(verdicts).some((verdict) => verdict !== "ok")) console.error(words)
    return { ...verdicts, evaluates: compiles }
  } finally {
    child.kill("SIGKILL")
  }
}
