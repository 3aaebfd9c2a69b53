/** The view: a row for each step, and the state after the one that is picked. */
const find = (selector) => document.querySelector(selector)
const phases = ["Unopened", "Opened", "Ready", "Closed"]

let steps = []
let picked = -1
/** Follows the newest step until another one is picked. */
let follows = true

/** An element; what is not one becomes text. */
function made(name, attributes, ...children) {
  const element = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
  element.append(...children)
  return element
}

const chip = (tag) => made("span", { class: `chip ${tag}` }, tag)

export function newly() {
  steps = []
  picked = -1
  follows = true
  find("#steps").replaceChildren()
  find("#deeds").disabled = false
}

export function shown(step) {
  const at = steps.push(step) - 1
  const { input, outputs } = step
  const row = made(
    "button",
    { type: "button", class: "step" },
    made("span", { class: "told" }, chip(input._tag), made("span", { class: "gist" }, gist(input))),
    made(
      "span",
      { class: "put" },
      ...outputs.map(({ _tag }) => chip(_tag)),
      outputs.length === 0 ? "nothing to do" : ""
    )
  )
  row.addEventListener("click", () => {
    follows = at === steps.length - 1
    pick(at)
  })
  const item = made("li", {}, row)
  find("#steps").append(item)
  if (!follows) return
  pick(at)
  item.scrollIntoView({ block: "nearest" })
}

/** What an input is about, in a few words. */
function gist({ _tag, json, timer, progress, total, call, id }) {
  if (_tag === "Received" && "method" in json) return [json.method, json.params?.name].join(" ")
  if (_tag === "Received") return `a reply to ${JSON.stringify(json.id)}`
  if (_tag === "Progressed") return `call ${call}: ${progress} of ${total}`
  if (timer !== undefined) return `${timer.of} ${timer.call}`
  return call === undefined ? "" : `call ${call}, request ${JSON.stringify(id)}`
}

function pick(at) {
  picked = at
  for (const [index, item] of [...find("#steps").children].entries())
    item.firstChild.setAttribute("aria-current", String(index === at))
  const { input, outputs, state } = steps[at]
  const phase = state.phase._tag
  const { revision, info } = state.phase.peer ?? {}
  find("#state-title").textContent = `State after step ${at + 1}`
  find("#phases").replaceChildren(...phases.map((name) => made("li", { "aria-current": String(name === phase) }, name)))
  find("#facts").replaceChildren(
    ...fact("Client", info === undefined ? "says it with each request, or nothing yet" : `${info.name}, ${revision}`),
    ...fact("In flight", list(state.inFlight.map(({ id, method }) => `${method}, request ${JSON.stringify(id)}`))),
    ...fact("Asked", list(state.inFlight.flatMap(({ asking }) => asking?.open ?? []).map(({ key }) => key))),
    ...fact("Next number", String(state.next))
  )
  find("#input").textContent = JSON.stringify(input)
  find("#outputs").textContent = outputs.map((output) => JSON.stringify(output)).join("\n")
  find("#json").replaceChildren(...compared(lines(state), at === 0 ? [] : lines(steps[at - 1].state)))
}

const fact = (name, value) => [made("dt", {}, name), made("dd", {}, value)]
const list = (values) => (values.length === 0 ? "nothing" : values.join(", "))
const lines = (state) => JSON.stringify(state, null, 1).split("\n")

/** The lines, with those marked that the state before did not have. */
function compared(now, before) {
  const had = new Set(before)
  return now.map((line) => made(before.length === 0 || had.has(line) ? "span" : "mark", {}, `${line}\n`))
}

/** Shows what a deed came to, and disables the deeds of a conversation that is over. */
export async function said(deed) {
  find("footer").dataset.busy = ""
  const text = await deed.catch((error) => `${error.name}: ${error.message}`)
  delete find("footer").dataset.busy
  find("#seen").dataset.said = text
}

export function ended() {
  find("#deeds").disabled = true
}

/** Asks the reader; nothing when it is declined. */
export function asking(message) {
  const form = find("#question")
  form.querySelector("span").textContent = message
  form.hidden = false
  form.guests.focus()
  return new Promise((resolve) => {
    const done = (guests) => {
      form.hidden = true
      resolve(guests)
    }
    const once = { once: true }
    form.addEventListener("submit", () => done(form.guests.valueAsNumber), once)
    form.querySelector("[type=button]").addEventListener("click", () => done(undefined), once)
  })
}

find("#question").addEventListener("submit", (event) => event.preventDefault())
document.addEventListener("keydown", ({ key }) => {
  const to = { ArrowUp: picked - 1, ArrowDown: picked + 1 }[key]
  if (to === undefined || steps[to] === undefined || document.activeElement?.name === "guests") return
  find("#steps").children[to].firstChild.click()
})
