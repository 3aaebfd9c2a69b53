import { describe, expect, it } from "vitest"
import { catalogue } from "../src/catalogue.js"
import { shelf } from "../src/shelf.js"
import { asking, eras } from "./asking.js"

const kite = {
  id: "paper-kite",
  name: "Paper kite",
  description: "It flies.",
  price: 16.5,
  category: "kites",
  youngest: 6,
  oldest: 99
}
const changed = (family: string): string => `notifications/${family}/list_changed`
const text = (content: ReadonlyArray<object>): string => (content[0] as { readonly text: string }).text

describe.each(eras)("add_gift on %s", (prefer, unknown) => {
  it("adds a gift that is then found, read and described", async () => {
    const { client } = await asking({ gifts: [] }, { prefer })
    const { structuredContent } = await client.callTool("add_gift", kite)
    expect(structuredContent).toEqual({ uri: "gift://paper-kite", gifts: 1 })
    expect(await client.readResource("gift://paper-kite")).toMatchObject({
      contents: [{ text: expect.stringContaining('"relationships":["anyone"]') }]
    })
    const found = await client.callTool("suggest_gifts", { age: 10, relationship: "niece" })
    expect(found.structuredContent).toMatchObject({ gifts: [{ id: "paper-kite" }], matches: 1 })
    expect((await client.getPrompt("describe_gift", { gift: "paper-kite", user: "Ann" })).messages).toHaveLength(1)
  })

  it("tells of both lists, for a new category is named in the tool's own schema", async () => {
    const { client, told } = await asking({}, { prefer })
    await client.callTool("add_gift", kite)
    expect(told).toEqual([
      changed("tools"),
      changed("resources"),
      ["notice", { added: "paper-kite", category: "kites" }]
    ])
    const tools = await client.listTools()
    expect(JSON.stringify(tools[1]?.inputSchema["properties"])).toContain("jewellery, kitchen, kites, music")
  })

  it("tells of the resources alone where the category is known", async () => {
    const { client, told } = await asking({}, { prefer })
    const toys = async () => (await client.listResources()).find(({ uri }) => uri === "category://toys")!.description
    const before = await toys()
    await client.callTool("add_gift", { ...kite, category: "toys" })
    expect(told).toEqual([changed("resources"), ["notice", { added: "paper-kite", category: "toys" }]])
    expect([before, await toys()]).toEqual([
      expect.stringContaining("10 gifts, "),
      expect.stringContaining("11 gifts, ")
    ])
  })

  it("refuses an id that is taken, says by which gift, and nothing changes", async () => {
    const { client, told } = await asking({}, { prefer })
    const { isError, content } = await client.callTool("add_gift", { ...kite, id: "knitted-rabbit" })
    expect([isError, text(content)]).toEqual([
      true,
      "There is a gift knitted-rabbit already: Knitted rabbit. Choose another id."
    ])
    expect(told).toEqual([["warning", { refused: "knitted-rabbit", why: "the id is taken" }]])
  })

  it("adds one of two that come at the same time under one id", async () => {
    const { client } = await asking({}, { prefer })
    const both = await Promise.all([client.callTool("add_gift", kite), client.callTool("add_gift", kite)])
    expect(both.map(({ isError }) => isError)).toEqual([undefined, true])
  })

  it("lists all of many that come at the same time", async () => {
    const { client } = await asking({ gifts: [] }, { prefer })
    const ids = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"]
    await Promise.all(ids.map((id) => client.callTool("add_gift", { ...kite, id, category: id })))
    expect((await client.listResources()).map(({ name }) => name)).toEqual(ids)
  })

  it("refuses ages that end before they begin", async () => {
    const { client } = await asking({}, { prefer })
    const { isError, content } = await client.callTool("add_gift", { ...kite, youngest: 9, oldest: 8 })
    expect([isError, text(content)]).toEqual([true, "youngest is 9 and oldest 8: it would suit nobody."])
  })

  it.each([
    ["id", "a/../b"],
    ["id", "__proto__"],
    ["id", "Über-kite"],
    ["id", "x".repeat(61)],
    ["name", ""],
    ["name", "a\nb"],
    ["name", " a"],
    ["name", "a\u001b[31m"],
    ["name", "a\u202eb"],
    ["name", "x".repeat(81)],
    ["description", "x ".repeat(200)],
    ["category", "Toys"],
    ["category", "toys/../garden"],
    ["price", -1],
    ["price", 1e300],
    ["price", "16.50"],
    ["price", 0.001],
    ["price", 16.505],
    ["youngest", 5.5],
    ["oldest", 500],
    ["relationships", []],
    ["relationships", ["anyone"]],
    ["tags", ["a\tb"]],
    ["tags", Array.from({ length: 9 }, () => "tag")]
  ])("refuses the %s %j", async (name, value) => {
    const { client, told } = await asking({}, { prefer })
    const args = { ...kite, [name]: value } as object as { [key: string]: string }
    const refused = {
      isError: true,
      content: [{ text: expect.stringMatching(`^Invalid arguments for tool add_gift: ${name}`) }]
    }
    expect(await client.request("tools/call", { name: "add_gift", arguments: args })).toMatchObject(refused)
    expect(told).toEqual([])
  })

  it("takes every price in whole cents", async () => {
    const { client } = await asking({ gifts: [] }, { prefer })
    for (const [index, price] of [0, 0.07, 0.29, 4.35, 19.99, 9_999.99, 10_000].entries()) {
      const { isError } = await client.callTool("add_gift", { ...kite, id: `kite-${index}`, price })
      expect([price, isError]).toEqual([price, undefined])
    }
  })

  it.each([
    [{ price: 0.001 }, "price: expected at most two decimals"],
    [{ relationships: [] }, "relationships: expected at least one kind; leave it out for a gift that suits anyone"]
  ])("says of %j what is wrong", async (wrong, why) => {
    const { client } = await asking({}, { prefer })
    const args = { ...kite, ...wrong } as object as { [key: string]: string }
    const { content } = (await client.request("tools/call", { name: "add_gift", arguments: args })) as {
      readonly content: ReadonlyArray<object>
    }
    expect(text(content)).toBe(`Invalid arguments for tool add_gift: ${why}`)
  })

  it("keeps the relationships it was given", async () => {
    const { client } = await asking({ gifts: [] }, { prefer })
    const relationships: ["friend", "teacher"] = ["friend", "teacher"]
    await client.callTool("add_gift", { ...kite, relationships })
    const { contents } = await client.readResource("gift://paper-kite")
    expect(JSON.parse((contents[0] as { readonly text: string }).text)).toMatchObject({ relationships })
  })

  it("keeps an id such as constructor apart from what every object has", async () => {
    const { client } = await asking({}, { prefer })
    await expect(client.readResource("gift://constructor")).rejects.toMatchObject({ code: unknown })
    expect((await client.callTool("add_gift", { ...kite, id: "constructor" })).isError).toBeUndefined()
    expect((await client.readResource("gift://constructor")).contents).toHaveLength(1)
  })
})

it("fills up, and says so", () => {
  const full = shelf(catalogue.slice(0, 2), 2)
  expect(full.add(catalogue[2]!)).toBe("full")
  expect(full.add(catalogue[0]!)).toBe("taken")
  expect(full.gifts()).toHaveLength(2)
})
