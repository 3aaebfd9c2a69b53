/** The server that each of the frameworks serves: one tool, which also says who asked. */
import { defineServer, tool } from "@parley/server"

const input = { type: "object", properties: { sides: { type: "integer", minimum: 2 } }, required: ["sides"] }

const roll = tool("roll", { description: "Roll a die", input }, ({ sides }, { context }) => {
  const rolled = 1 + Math.floor(Math.random() * sides)
  return `${context?.player ?? "Somebody"} rolled ${rolled}`
})

export const dice = defineServer({ name: "dice", version: "1.0.0" }, [roll])
