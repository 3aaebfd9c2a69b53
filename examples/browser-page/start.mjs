/**
 * Bundles the page, and hands it out on this machine under a policy that lets it do nothing but run: no eval, no connections.
 * An argument names a bundle that is there already.
 */
import { createServer } from "node:http"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { rolldown } from "rolldown"

const file = (name) => join(import.meta.dirname, name)
const [given] = process.argv.slice(2)
const script = given === undefined ? await bundled() : readFileSync(given)

const policy = "default-src 'none'; script-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'"
const files = {
  "/": ["text/html", readFileSync(file("index.html"))],
  "/style.css": ["text/css", readFileSync(file("style.css"))],
  "/page.js": ["text/javascript", script]
}
const server = createServer(({ url }, response) => {
  const [type, body] = files[url] ?? []
  if (body === undefined) return response.writeHead(404).end()
  response.writeHead(200, { "content-type": `${type}; charset=utf-8`, "content-security-policy": policy }).end(body)
})
server.listen(process.env.PORT ?? 8080, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}/`))

async function bundled() {
  const build = await rolldown({ input: file("page.mjs"), platform: "browser", logLevel: "silent" })
  const { output } = await build.generate({ format: "esm", codeSplitting: false, minify: true })
  await build.close()
  return output[0].code
}
