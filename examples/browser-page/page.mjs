/** The page: opens a conversation between the two ends of a MessagePort, and tells its story; then it is the reader's turn. */
import { portChannel } from "../message-port/channel.mjs"
import { story, visitor } from "./client.mjs"
import { serveInPage } from "./server.mjs"
import { asking, ended, newly, said, shown } from "./view.mjs"

const pauseMs = 120
let told = false
let visit

/** Another conversation, in the era of that revision. */
async function open(revision) {
  await visit?.close().catch(() => {})
  newly()
  const { port1, port2 } = new MessageChannel()
  void serveInPage(portChannel(port2), shown, pauseMs).then(ended)
  // The story answers by itself.
  visit = visitor(portChannel(port1), (message) => (told ? asking(message) : 4))
  await said(visit.open(revision))
}

async function tell(revision) {
  told = false
  await open(revision)
  for (const deed of story.slice(1)) {
    await said(visit[deed]())
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
  }
  told = true
}

for (const button of document.querySelectorAll("[data-deed]"))
  button.addEventListener("click", () => void said(visit[button.dataset.deed]()))
for (const button of document.querySelectorAll("[data-open]"))
  button.addEventListener("click", () => void open(button.dataset.open))

// `#2026-07-28/11`: the story on that revision, and which step to look at when it is told.
const [revision, step] = location.hash.slice(1).split("/")
await tell(revision === "" ? "2025-11-25" : revision)
if (step !== undefined) document.querySelector(`#steps li:nth-child(${Number(step)}) button`)?.click()
document.querySelector("#deeds").disabled = false
document.querySelector("#seen").textContent = `${document.querySelectorAll("#steps li").length} steps`
