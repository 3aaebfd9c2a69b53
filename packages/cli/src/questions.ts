/** What the server asks of us: put to the person at the terminal, one question after another, or declined when there is none. */
import type { Answers, Asking, AskingPage, PageAnswer } from "@parley/client"
import { Rejected } from "@parley/client"
import type { CreateMessageParams, CreateMessageResult, ElicitUrlParams, SamplingMessage } from "@parley/core"
import type { Aside } from "./aside.js"
import { block, brief, line } from "./clean.js"
import type { Wishes } from "./command-line.js"
import type { Deadline } from "./deadline.js"
import type { Dialogue } from "./dialogue.js"
import { dialogue } from "./dialogue.js"
import { fillIn } from "./form.js"
import { shorten, wrap } from "./layout.js"
import type { Look } from "./paint.js"
import type { Terminal } from "./terminal.js"
import { attended } from "./terminal.js"
import { Stop } from "./trouble.js"

export interface Asker {
  /** Puts a question when those before it are answered; nothing when there is nobody to put it to. */
  readonly put: <A>(
    what: string,
    signal: AbortSignal,
    question: (dialogue: Dialogue, look: Look) => Promise<A>
  ) => Promise<A> | undefined
  /** Tells what is refused without a person; one that goes on is told of in the end, by how often it asked. */
  readonly refuse: (text: string) => void
  readonly end: () => void
}

/** So many refusals are told in full. */
const TOLD = 3
/** So many questions may wait for the person, and so many are answered without one. */
const QUESTIONS = 100
const LONG = 300

export function asker(terminal: Terminal, look: Look, aside: Aside): Asker {
  const mark = look.paint.odd("!")
  const told = new Set<string>()
  let more = 0
  let before: Promise<unknown> = Promise.resolve()
  let open: Dialogue | undefined

  async function hold<A>(
    what: string,
    signal: AbortSignal,
    question: (dialogue: Dialogue, look: Look) => Promise<A>
  ): Promise<A> {
    if (signal.aborted) throw signal.reason
    aside.hush(true)
    try {
      open = await dialogue(terminal)
      const answer = await question(open, look)
      open.say("")
      return answer
    } catch (error) {
      if (signal.aborted)
        open?.say(`${mark} The server ${what}. It lapsed: ${brief((signal.reason as Error).message)}.`)
      throw error
    } finally {
      open?.end()
      open = undefined
      aside.hush(false)
    }
  }

  const refuse = (text: string): void => {
    if (told.has(text) || told.size >= TOLD) return void more++
    told.add(text)
    aside.say(`${mark} ${text}`)
  }
  return {
    put: (what, signal, question) => {
      const short = shorten(what, LONG)
      if (!attended(terminal)) {
        refuse(`The server ${short}. It was declined: there is no terminal to ask you on.`)
        return undefined
      }
      const turn = before.then(() => hold(short, signal, question))
      before = turn.catch(() => {})
      return turn
    },
    refuse,
    end: () => {
      open?.end()
      if (more > 0) aside.say(`${mark} It asked ${more} more ${more === 1 ? "time" : "times"}, with the same answer.`)
      more = 0
    }
  }
}

export function answersOf(
  { declared, allowSampling, roots }: Wishes,
  asker: Asker,
  allowed: Deadline,
  end: (why: Stop) => void
): Answers {
  let unattended = 0
  let waiting = 0
  const counted = (questions: number): void => {
    if (questions > QUESTIONS) end(insatiable)
  }
  /** The clock stands still for a person, and for nobody else. */
  const put: Put = async (what, signal, question) => {
    const turn = asker.put(what, signal, question)
    if (turn === undefined) {
      counted(++unattended)
      return undefined
    }
    counted(++waiting)
    allowed.pause()
    try {
      return await turn
    } finally {
      waiting--
      allowed.resume()
    }
  }
  const sampling = async (request: CreateMessageParams, asking: Asking): Promise<CreateMessageResult> => {
    if (!allowSampling) {
      asker.refuse("The server asked for a text from a model. It was refused: --allow-sampling lets you write one.")
      counted(++unattended)
      throw new Rejected()
    }
    const written = await put("asked for a text from a model", asking.signal, (dialogue, look) =>
      write(request, asking, dialogue, look)
    )
    if (written === undefined) throw new Rejected()
    return written
  }
  return {
    timeoutMs: 3_600_000,
    elicit: {
      ...(declared.form && {
        form: async (form, asking) =>
          (await put(`asked you to fill in a form (${line(form.message)})`, asking.signal, (dialogue, look) =>
            fillIn(form, asking, dialogue, look)
          )) ?? { action: "decline" }
      }),
      ...(declared.url && {
        url: async (page, asking) =>
          (await put(
            `asked you to visit ${new URL(page.url).href} (${line(page.message)})`,
            asking.signal,
            (dialogue, look) => consent(page, asking, dialogue, look)
          )) ?? { action: "decline" }
      })
    },
    ...(declared.sampling && {
      sample: { create: sampling, tools: declared.samplingTools, context: declared.samplingContext }
    }),
    ...(declared.roots && { roots: { list: roots, listChanged: declared.rootsListChanged } })
  }
}

type Put = <A>(
  what: string,
  signal: AbortSignal,
  question: (dialogue: Dialogue, look: Look) => Promise<A>
) => Promise<A | undefined>

const insatiable = new Stop(
  "refused",
  `The server asked more than ${QUESTIONS} questions that nobody has answered`,
  "--client-capabilities none forbids it to ask"
)

/** Nothing is opened or fetched: the person sees where it leads, and goes there or not. */
async function consent(
  { url, message }: ElicitUrlParams,
  { server, signal, host }: AskingPage,
  { say, ask }: Dialogue,
  { paint, width }: Look
): Promise<PageAnswer> {
  // Spelled by the URL parser: what only looks like another address does not here.
  const { href, protocol, username } = new URL(url)
  say(
    `\n${paint.heading("?")} ${paint.strong(line(String(server.info?.["name"] ?? "the server")))} asks you to visit a page`
  )
  for (const text of wrap(block(message), width - 2)) say(`  ${text}`)
  say(`\n  address  ${paint.name(href)}`)
  say(`  host     ${paint.strong(host)}`)
  if (protocol === "http:") say(`  ${paint.bad("It is not encrypted (http).")}`)
  if (username !== "") say(`  ${paint.bad("The part before the @ is not the host.")}`)
  if (host.split(".").some((label) => label.startsWith("xn--")))
    say(`  ${paint.bad("The host is written in letters that can look like others.")}`)
  say(paint.faint("  Nothing is opened or fetched for you: copy the address into your browser."))
  for (;;) {
    const word = (await ask("  Will you visit it? [y]es, [d]ecline, [c]ancel > ", signal))?.trim().toLowerCase()
    if (word === "y" || word === "yes") return { action: "accept" }
    if (word === "d" || word === "decline" || word === ":d" || word === "n" || word === "no")
      return { action: "decline" }
    if (word === undefined || word === "c" || word === "cancel" || word === ":c") return { action: "cancel" }
  }
}

async function write(
  { messages, systemPrompt, maxTokens }: CreateMessageParams,
  { server, signal }: Asking,
  { say, ask }: Dialogue,
  { paint, width }: Look
): Promise<CreateMessageResult | undefined> {
  const show = (who: string, text: string): void => {
    say(`  ${paint.type(who)}`)
    for (const part of wrap(block(text), width - 4)) say(`    ${part}`)
  }
  say(
    `\n${paint.heading("?")} ${paint.strong(line(String(server.info?.["name"] ?? "the server")))} asks for a text from a model`
  )
  if (systemPrompt !== undefined) show("system", systemPrompt)
  for (const message of messages) show(line(message.role), textOf(message))
  say(paint.faint(`  Write the answer (at most ${maxTokens} tokens); a line with a single dot ends it. :d refuses.`))
  const lines: Array<string> = []
  for (;;) {
    const typed = await ask("  > ", signal)
    if (typed === undefined || typed.trim() === ":d") return undefined
    if (typed.trim() === ".") break
    lines.push(typed)
  }
  return {
    role: "assistant",
    model: "a person",
    content: { type: "text", text: lines.join("\n") },
    stopReason: "endTurn"
  }
}

function textOf({ content }: SamplingMessage): string {
  const blocks = Array.isArray(content) ? content : [content]
  return blocks.map((one) => (one.type === "text" ? (one.text as string) : `[${brief(one.type)}]`)).join("\n")
}
