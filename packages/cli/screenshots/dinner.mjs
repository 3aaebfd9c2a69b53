/** The server of the pictures: a small restaurant with a form. */
import { defineServer, form, prompt, resource, resourceTemplate, serve, tool } from "@parley/server"
import { stdio } from "@parley/stdio"

const day = { type: "string", format: "date", description: "The evening of the table" }
const diets = ["vegetarian", "vegan", "gluten-free"]
const reads = { readOnlyHint: true, openWorldHint: false }
const books = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: true }

const tables = tool(
  "free_tables",
  {
    title: "Free tables",
    description: "Which tables are free on an evening, the largest first.",
    input: {
      type: "object",
      properties: {
        day,
        seats: { type: "integer", minimum: 1, maximum: 12, default: 2, description: "How many come" },
        where: { enum: ["inside", "terrace", "garden"], description: "Where they want to sit" },
        wishes: {
          type: "object",
          description: "What matters to them",
          properties: {
            quiet: { type: "boolean", default: false },
            diets: { type: "array", items: { enum: diets }, description: "What the kitchen should know" }
          }
        }
      },
      required: ["day"]
    },
    output: {
      type: "object",
      properties: { tables: { type: "array", items: { type: "integer" }, description: "Their numbers" } },
      required: ["tables"]
    },
    annotations: reads
  },
  () => ({ tables: [7, 4, 2] })
)

const table = form({
  type: "object",
  properties: {
    guests: { type: "integer", title: "Guests", minimum: 1, maximum: 12, description: "How many come" },
    where: { type: "string", title: "Where", enum: ["inside", "terrace", "garden"], default: "inside" },
    diets: { type: "array", title: "Diets", items: { type: "string", enum: diets } },
    quiet: { type: "boolean", title: "A quiet corner", default: true }
  },
  required: ["guests"]
})

const book = tool(
  "book",
  { title: "Book a table", description: "Asks what is missing, then books.", asks: { table }, annotations: books },
  async (_, call) => {
    const { guests, where } = await call.ask("table", { message: "A table for tonight: what shall we know?" })
    return `Booked: a table ${where} for ${guests}, at eight.`
  }
)

const menu = resource(
  "dinner://menu",
  { name: "menu", title: "Tonight's menu", mimeType: "text/markdown" },
  () => "# Soup"
)
const dish = resourceTemplate("dinner://dish/{name}", { name: "dish", mimeType: "text/plain" }, ({ name }) => name)
const invite = prompt(
  "invite",
  {
    title: "Invite somebody",
    description: "A short letter that invites to dinner.",
    arguments: { who: { required: true, description: "Who is invited" }, tone: { description: "Warm by default" } }
  },
  ({ who }) => `Write a short letter that invites ${who} to dinner.`
)

const info = { name: "dinner", title: "Chez Parley", version: "1.4.0" }
serve(defineServer(info, [tables, book, menu, dish, invite], { declare: { tools: { listChanged: true } } }), stdio())
