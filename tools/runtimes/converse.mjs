/** One conversation in each era with the parlour, over whatever channel it is given, compared with what it has to be. */
import { connect } from "@parley/client"

const eras = ["2026-07-28", "2025-11-25"]

/** Throws an error that says what was otherwise. `open` makes the client's channel, once for each era. */
export async function converse(open) {
  for (const prefer of eras) {
    const client = await connect(await open(), {
      clientInfo: { name: "traveller", version: "1.0.0" },
      prefer,
      answer: { elicit: () => ({ action: "accept", content: { guests: 4 } }) }
    })
    try {
      same(await had(client), { ...expected, revision: prefer })
    } finally {
      await client.close()
    }
  }
}

async function had(client) {
  const said = ({ content }) => content.map(({ text }) => text).join()
  const steps = []
  const counted = await client.callTool("count", {}, { onProgress: ({ progress }) => steps.push(progress) })
  const cancel = new AbortController()
  const withdrawn = await client
    .callTool("wait", {}, { signal: cancel.signal, onProgress: () => cancel.abort() })
    .then(said, ({ name }) => name)
  const wrong = { name: "add", arguments: { a: "1", b: 2 } }
  return {
    revision: client.peer.revision,
    tools: (await client.listTools()).map(({ name }) => name),
    sum: (await client.callTool("add", { a: 1, b: 2 })).structuredContent,
    refused: (await client.request("tools/call", wrong)).isError,
    counted: said(counted),
    steps,
    asked: said(await client.callTool("book")),
    withdrawn,
    undeclared: await client.request("prompts/list").then(
      () => "answered",
      ({ name }) => name
    ),
    many: (await Promise.all(Array.from({ length: 20 }, (_, a) => client.callTool("add", { a, b: 1 })))).length
  }
}

const expected = {
  revision: "",
  tools: ["add", "count", "book", "wait"],
  sum: { sum: 3 },
  refused: true,
  counted: "three",
  steps: [1, 2, 3],
  asked: "a table for 4",
  withdrawn: "CallError",
  undeclared: "CallError",
  many: 20
}

function same(had, wanted) {
  for (const [name, value] of Object.entries(wanted)) {
    const [is, should] = [JSON.stringify(had[name]), JSON.stringify(value)]
    if (is !== should) throw new Error(`${wanted.revision}: ${name} is ${is}, not ${should}`)
  }
}
