/** Records the corpus: conversations drawn for servers and clients of all kinds, as JSON that any runtime can replay. */
import { clientConversation, serverConversation } from "@parley/testing"
import { moderns } from "../../packages/testing/test/client-definitions.ts"
import { clients, servers } from "../../packages/testing/test/definitions.ts"
import { replay } from "./replay.mjs"

/** `each`: conversations for each of the servers and clients. The same seed gives the same corpus. */
export function record(seed, each = 8) {
  const random = randomFrom(seed)
  const corpus = { definitions: [], conversations: [] }
  for (const [side, subjects, live] of [
    ["server", servers, serverConversation],
    ["client", { ...clients, ...moderns }, clientConversation]
  ])
    for (const [definition, options] of Object.values(subjects))
      for (let left = each; left > 0; left--) {
        const { steps } = live(definition, drawn(random), options)
        const written = { side, definition: index(corpus, definition), options, steps: [] }
        for (const { input, changed } of steps)
          written.steps.push({ input, ...(changed && { changed: index(corpus, changed.definition) }) })
        // What is no JSON never came by a wire either, and is told as JSON has it.
        const plain = asJson(written)
        if (plain !== undefined) corpus.conversations.push(plain)
      }
  return replay(corpus, (step, said) => (step.said = said)) && corpus
}

/** Revisions are values with functions: they go by their names. */
function index({ definitions }, { revisions, ...rest }) {
  const text = JSON.stringify({ ...rest, revisions: revisions.map(({ name }) => name) })
  const at = definitions.findIndex((one) => JSON.stringify(one) === text)
  return at < 0 ? definitions.push(JSON.parse(text)) - 1 : at
}

function asJson(value) {
  try {
    return JSON.parse(JSON.stringify(value))
  } catch {
    return undefined
  }
}

const numbers = (random, most) =>
  Array.from({ length: Math.floor(random() * most) }, () => Math.floor(random() * 0x1_00_00))
const drawn = (random) => ({
  opening: numbers(random, 40),
  moves: Array.from({ length: 40 }, () => numbers(random, 40))
})

/** Numbers from 0 to 1, the same ones for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed | 0
  return () => {
    state = (state + 0x6d_2b_79_f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
