import { expect, it } from "vitest"
import { portChannel } from "../../message-port/channel.mjs"

interface Step {
  readonly input: { readonly _tag: string; readonly json?: { readonly method?: string } }
  readonly outputs: ReadonlyArray<{
    readonly _tag: string
    readonly message?: { readonly error?: { readonly code: number } }
  }>
  readonly state: { readonly phase: { readonly _tag: string } }
}
type Deeds = { readonly [deed: string]: (revision: string) => Promise<string> }

// The page's own modules, which are plain JavaScript.
const load = async <A>(name: string): Promise<A> => (await import(new URL(`../${name}`, import.meta.url).href)) as A
const { serveInPage } = await load<{
  serveInPage: (channel: unknown, seen: (step: Step) => void, pauseMs: number) => Promise<unknown>
}>("server.mjs")
const { story, visitor } = await load<{
  story: ReadonlyArray<string>
  visitor: (channel: unknown, ask: (message: string) => number | undefined) => Deeds
}>("client.mjs")

/** What the story comes to on that revision: what the client had, and what the machine was told and put out. */
async function told(revision: string, guests: number | undefined) {
  const { port1, port2 } = new MessageChannel()
  const steps: Array<Step> = []
  const closed = serveInPage(portChannel(port2), (step) => steps.push(step), 0)
  const visit = visitor(portChannel(port1), () => guests)
  const said: Array<string> = []
  for (const deed of [...story, "close"]) said.push(await visit[deed]!(revision))
  await closed
  return {
    said,
    steps: steps.map(({ input, outputs }) =>
      [input.json?.method ?? input._tag, ...outputs.map(({ _tag }) => _tag)].join(" ")
    ),
    refused: steps.flatMap(({ outputs }) => outputs.flatMap(({ message }) => message?.error?.code ?? [])),
    phases: [...new Set(steps.map(({ state }) => state.phase._tag))]
  }
}

const common = ["add, count, book, sleep", "3", "three"]
const rest = ["tools/call was abandoned: not needed any more", "sent what the server did not declare", "closed"]
const work = [
  "tools/list Send",
  "tools/call Invoke",
  "Succeeded Send",
  "tools/call Invoke",
  ...Array.from({ length: 3 }, () => "Progressed Send"),
  "Succeeded Send",
  "tools/call Invoke"
]
const end = [
  "Succeeded Send",
  "tools/call Invoke",
  "notifications/cancelled Interrupt Report",
  "prompts/list Send Report",
  "PeerClosed Close"
]

it("is a whole session with a handshake", async () => {
  expect(await told("2025-11-25", 4)).toEqual({
    said: ["opened: 2025-11-25", ...common, "A table for 4", ...rest],
    steps: [
      "initialize Send Report",
      "notifications/initialized",
      ...work,
      "NeedsInput Send StartTimer",
      "Received StopTimer Invoke",
      ...end
    ],
    refused: [-32601],
    phases: ["Opened", "Ready", "Closed"]
  })
})

it("is the same without one, where the client keeps what was asked", async () => {
  expect(await told("2026-07-28", 4)).toEqual({
    said: ["opened: 2026-07-28", ...common, "A table for 4", ...rest],
    steps: [
      "server/discover Send Report",
      ...work,
      "NeedsInput Seal",
      "Sealed Send",
      "tools/call Unseal",
      "Unsealed Invoke",
      ...end
    ],
    refused: [-32601],
    phases: ["Unopened", "Closed"]
  })
})

it("goes on when the reader declines", async () => {
  const { said } = await told("2025-11-25", undefined)
  expect(said[4]).toBe("No table, then")
})
