/** A program that is only a client carries nothing that only servers need. */
import { join, relative } from "node:path"
import { rolldown } from "rolldown"
import { expect, it } from "vitest"

const root = join(import.meta.dirname, "../../..")

it("bundles no server, and not the words for what only a server refuses", async () => {
  const bundle = await rolldown({
    input: join(import.meta.dirname, "hand-client.ts"),
    platform: "node",
    plugins: [
      {
        name: "in-memory",
        resolveId: (id) => (id.endsWith("hand-client.ts") ? id : undefined),
        load: (id) =>
          id.endsWith("hand-client.ts")
            ? `import { connect } from "../src/index.js"\nglobalThis.connect = connect`
            : undefined
      }
    ],
    resolve: { conditionNames: ["@parley/source", "import"], extensionAlias: { ".js": [".ts", ".js"] } },
    external: [/^effect\//],
    logLevel: "silent"
  })
  const { output } = await bundle.generate()
  await bundle.close()
  const kept = output
    .flatMap((chunk) => (chunk.type === "chunk" ? Object.entries(chunk.modules) : []))
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .map(([file]) => relative(root, file))
  expect(kept).toContain("packages/core/src/failure-of-either.ts")
  expect(kept).not.toContain("packages/core/src/failure.ts")
  expect(kept.filter((file) => /^packages\/(server|core\/src\/server)\//.test(file))).toEqual([])
})
