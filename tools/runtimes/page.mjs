/** The script of the page that Chromium runs: does the checks, and writes what they came to into the document. */
import { http } from "@parley/http/client"
import { webSocket } from "@parley/websocket"
import { compiles, everywhere, verdicts } from "./checks.mjs"
import { converse } from "./converse.mjs"

const violations = []
document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
  violations.push(`${violatedDirective} ${blockedURI}`)
)
const { server, sockets } = document.documentElement.dataset
const adapters = { http: () => converse(() => http(server)), websocket: () => converse(() => webSocket(sockets)) }

const corpus = await (await fetch("/corpus.json")).json()
const found = await verdicts({ ...everywhere, ...adapters }, corpus)
const seen = { ...found, violations: [...violations], evaluates: compiles() }
document.querySelector("#seen").textContent = JSON.stringify(seen)
