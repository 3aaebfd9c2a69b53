/** Two more official servers that people run, as our client sees them. */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { handshakeRevisions } from "@parley/core/revisions"
import { afterEach, describe, expect, it } from "vitest"
import { pathToFileURL } from "node:url"
import { closeAll, talk, textOf } from "./peer.js"

const folders: Array<string> = []
afterEach(async () => {
  await closeAll()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function folder(): string {
  const made = realpathSync(mkdtempSync(join(tmpdir(), "parley-")))
  folders.push(made)
  return made
}

const withRevision = handshakeRevisions.map((revision) => [revision.name, revision] as const)

describe.each(withRevision)("@modelcontextprotocol/server-filesystem 2026.8.31 at %s", (name, revision) => {
  it("lists, writes and reads in its folder, and refuses what lies outside", async () => {
    const here = folder()
    writeFileSync(join(here, "note.txt"), "Be kind. 👋")
    const { client } = await talk("server-filesystem", { args: [here], revisions: [revision] })
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(["read_text_file", "write_file", "list_directory"]))
    const read = await client.callTool("read_text_file", { path: join(here, "note.txt") })
    expect(textOf(read)).toBe("Be kind. 👋")
    if (name >= "2025-06-18") expect(read.structuredContent).toEqual({ content: "Be kind. 👋" })
    await client.callTool("write_file", { path: join(here, "new.txt"), content: "1" })
    expect(textOf(await client.callTool("list_directory", { path: here }))).toContain("new.txt")
    expect((await client.callTool("read_text_file", { path: "/etc/hostname" })).isError).toBe(true)
    await expect(client.callTool("read_text_file", { path: 7 })).rejects.toMatchObject({
      reason: { _tag: "ArgumentsInvalid" }
    })
    await expect(client.listResources()).rejects.toMatchObject({ reason: { _tag: "MethodUndeclared" } })
  })

  it("works in the roots of the client, also when they change", async () => {
    const [first, second] = [folder(), folder()]
    let roots = [{ uri: pathToFileURL(first).href }]
    const { client, rootsChanged } = await talk("server-filesystem", {
      args: [first],
      answer: { roots: { list: () => roots, listChanged: true } },
      revisions: [revision]
    })
    const path = join(second, "a.txt")
    expect((await client.callTool("write_file", { path, content: "1" })).isError).toBe(true)
    roots = [{ uri: pathToFileURL(second).href }]
    // It takes the roots over without saying so, and when it is told while it is still at those from before, these may come last.
    let allowed = ""
    while (!allowed.includes(second)) {
      rootsChanged()
      allowed = textOf(await client.callTool("list_allowed_directories"))
    }
    expect((await client.callTool("write_file", { path, content: "1" })).isError).not.toBe(true)
  })
})

describe.each(withRevision)("@modelcontextprotocol/server-memory 2026.8.31 at %s", (_, revision) => {
  it("remembers what it is told", async () => {
    const env = { MEMORY_FILE_PATH: join(folder(), "memory.json") }
    const { client } = await talk("server-memory", { env, revisions: [revision] })
    const entities = [{ name: "Ada", entityType: "person", observations: ["likes tea"] }]
    await client.callTool("create_entities", { entities })
    const found = await client.callTool("search_nodes", { query: "tea" })
    expect(JSON.parse(textOf(found))).toEqual({ entities, relations: [] })
    if (revision.place >= 2) expect(found.structuredContent).toEqual({ entities, relations: [] })
    const tools: Array<string> = []
    for await (const { name } of client.tools()) tools.push(name)
    expect(tools).toContain("read_graph")
  })
})
