import { describe, expect, it } from "vitest"
import { catalogue } from "../src/catalogue.js"
import { completeId } from "../src/browse.js"
import { shelf } from "../src/shelf.js"
import { asking, eras } from "./asking.js"

describe("the categories", () => {
  it("come in pages, in alphabetical order, each once", async () => {
    const { client } = await asking()
    const pages: Array<number> = []
    const names: Array<string> = []
    for await (const page of client.resources().pages()) {
      pages.push(page.length)
      names.push(...page.map(({ name }) => name))
    }
    expect(pages).toEqual([8, 8, 4])
    expect(names).toEqual([...new Set(catalogue.map(({ category }) => category))].toSorted())
  })

  it("hold links that can be read, and every gift is in one of them", async () => {
    const { client } = await asking()
    const uris = new Set<string>()
    for (const { uri } of await client.listResources()) {
      const [part] = (await client.readResource(uri)).contents
      const gifts = JSON.parse((part as { readonly text: string }).text) as ReadonlyArray<{ readonly uri: string }>
      for (const gift of gifts) uris.add(gift.uri)
    }
    expect(uris.size).toBe(catalogue.length)
    const [contents] = (await client.readResource([...uris][7]!)).contents
    expect(contents).toMatchObject({ uri: [...uris][7], mimeType: "application/json" })
  })

  it("spell a space in a URI as it must be", async () => {
    const { client } = await asking()
    const listed = await client.listResources()
    expect(listed.find(({ name }) => name === "time together")?.uri).toBe("category://time%20together")
  })
})

describe.each(eras)("the template on %s", (prefer, unknown) => {
  it("reads any gift by its id", async () => {
    const { client } = await asking({}, { prefer })
    expect(await client.listResourceTemplates()).toMatchObject([{ uriTemplate: "gift://{id}", name: "gift" }])
    const [contents] = (await client.readResource("gift://knitted-rabbit")).contents
    expect(JSON.parse((contents as { readonly text: string }).text)).toEqual(
      catalogue.find(({ id }) => id === "knitted-rabbit")
    )
  })

  it.each(["gift://nothing", "gift://", "gift://knitted-rabbit/x", "gift://../etc/passwd", "category://none"])(
    "knows no %s",
    async (uri) => {
      const { client } = await asking({}, { prefer })
      await expect(client.readResource(uri)).rejects.toMatchObject({ code: unknown, data: { uri } })
    }
  )
})

describe("completeId", () => {
  it("prefers what begins with what was typed, and finds names too", () => {
    const [some] = catalogue
    const gifts = ["b-kite", "kite", "kite-tail", "kestrel"].map((id) => ({ ...some!, id, name: `The ${id}` }))
    const complete = completeId(shelf([...gifts, { ...some!, id: "string", name: "String for a Kite" }]))
    expect(complete("Kite", {})).toEqual(["kite", "kite-tail", "b-kite", "string"])
    expect(complete("nothing", {})).toEqual([])
  })
})
