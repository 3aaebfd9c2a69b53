/** The other server of the pictures: it makes mistakes that are easily made. */
import { createInterface } from "node:readline"

const answers = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {}, prompts: true },
    serverInfo: { name: "weather", version: "0.1.0" }
  },
  "tools/list": {
    tools: [
      {
        name: "forecast",
        inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["town"] }
      },
      { name: "alerts", description: "Warnings for a region" }
    ]
  }
}

console.log("Weather server is running!")
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line)
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method] }))
})
