/** Replays the corpus through both machines. Of the core alone, so that it runs where there is nothing else. */
import { clientMachine } from "@parley/core/client"
import { revisions } from "@parley/core/revisions"
import { serverMachine } from "@parley/core/server"

/** So many steps, and the state is written down and read again. */
const MOVES = 5

/**
 * `{ conversations, steps, moves, wrong }`: how much there was, and of each conversation that went otherwise where and how.
 * `told` is told what each step said instead, where a corpus is being made.
 */
export function replay({ definitions, conversations }, told) {
  const found = { conversations: conversations.length, steps: 0, moves: 0, wrong: [] }
  for (const [number, { side, definition, options, steps }] of conversations.entries()) {
    const made = (at) => {
      const named = definitions[at]
      const spoken = named.revisions.map((name) => revisions.find((one) => one.name === name))
      return (side === "server" ? serverMachine : clientMachine)({ ...named, revisions: spoken }, options)
    }
    let machine = made(definition)
    let state = machine.initial
    for (const [at, step] of steps.entries()) {
      if (step.changed !== undefined) machine = made(step.changed)
      const [next, outputs] = machine.step(state, step.input)
      state = next
      found.steps++
      const said = JSON.stringify(outputs)
      if (told !== undefined) told(step, said)
      else if (said !== step.said) {
        found.wrong.push(`${side} conversation ${number}, step ${at}: ${said}, not ${step.said}`)
        break
      }
      if (told !== undefined || at % MOVES !== 0) continue
      const read = machine.decode(JSON.parse(JSON.stringify(machine.encode(state))))
      // Under a changed announcement it is stale, as it should be.
      if (!read.ok) continue
      state = read.value
      found.moves++
    }
  }
  return found
}
