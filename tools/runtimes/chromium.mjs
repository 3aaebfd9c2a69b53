/** Runs the checks in a page of headless Chromium, under a Content-Security-Policy that lets it do nothing else. */
import { once } from "node:events"
import { createServer } from "node:http"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { chromium } from "../../fixtures/browser/chromium.mjs"
import { bundled } from "./bundled.mjs"

export async function inChromium(command, corpus, folder) {
  const script = await bundled("page", "browser")
  await bundled("outside", "node", join(folder, "outside.mjs"))
  const { forPages } = await import(pathToFileURL(join(folder, "outside.mjs")).href)
  let to = ["", ""]
  const site = createServer(({ url }, response) => {
    const [type, body] = files[url]?.() ?? []
    if (body === undefined) return response.writeHead(404).end()
    const policy = `default-src 'none'; script-src 'self'; connect-src 'self' ${to.map((url) => new URL(url).origin).join(" ")}; base-uri 'none'`
    response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(body)
  })
  const files = {
    "/": () => [
      "text/html",
      `<!doctype html><html data-server="${to[0]}" data-sockets="${to[1]}"><pre id="seen"></pre><script type="module" src="/page.js"></script></html>`
    ],
    "/page.js": () => ["text/javascript", script],
    "/corpus.json": () => ["application/json", JSON.stringify(corpus)]
  }
  site.listen(0, "127.0.0.1")
  await once(site, "listening")
  const origin = `http://127.0.0.1:${site.address().port}`
  const server = await forPages([origin])
  to = server.urls
  const browser = await chromium(command)
  try {
    const { text, problems } = await browser.look(`${origin}/`)
    const { violations, ...found } = JSON.parse(text)
    const wrong = [...problems, ...violations]
    if (wrong.length > 0) throw new Error(wrong.join("; "))
    return found
  } finally {
    await browser.close()
    await server.close()
    site.close()
    site.closeAllConnections()
  }
}
