/** What a failure of HTTP is said to look like, by what the platform calls it. */
import { expect, it } from "vitest"
import type { Trouble } from "../src/trouble.js"
import type { Exchanged } from "../src/web.js"
import { onTheWeb } from "../src/web-trouble.js"

const trouble: Trouble = { exit: "unopened", message: "initialize was not answered", remedy: undefined }
const exchanged: Exchanged = {
  at: 0,
  verb: "POST",
  about: "initialize",
  path: undefined,
  status: undefined,
  took: 1,
  type: undefined,
  challenge: undefined,
  session: false,
  failure: undefined
}
const seen = (one: Partial<Exchanged>, url = "https://example.com/mcp", of = trouble) =>
  onTheWeb(of, [{ ...exchanged, ...one }], { _tag: "Address", url, headers: {} })
const failure = (code: string, words = "fetch failed") => ({ failure: { code, words } })

it.each([
  [failure("DEPTH_ZERO_SELF_SIGNED_CERT"), "the certificate of example.com is not trusted", "NODE_EXTRA_CA_CERTS"],
  [failure("CERT_HAS_EXPIRED"), "the certificate of example.com is not trusted", "mend the certificate"],
  [failure("UNABLE_TO_VERIFY_LEAF_SIGNATURE"), "is not trusted", "NODE_EXTRA_CA_CERTS"],
  [failure("ERR_TLS_CERT_ALTNAME_INVALID"), "is not trusted", "mend the certificate"],
  [failure("EPROTO", "fetch failed: wrong version number"), "does not speak TLS there", "http://"],
  [failure("EPROTO", "fetch failed: alert handshake failure"), "TLS with example.com could not be agreed on", "port"],
  [failure("UND_ERR_CONNECT_TIMEOUT"), "can not be reached", "firewall"],
  [failure("EAI_AGAIN"), "the name example.com is not known", "spelling"],
  [failure("no answer", "bad port"), "no answer came from example.com (bad port)", "address"],
  [{ status: 403 }, "refuses this host, this origin or these credentials", "localhost"],
  [{ status: 407, challenge: "Basic" }, "a proxy wants a login", "without the proxy"],
  [{ status: 302, type: "text/html" }, "a web page came (HTTP 302)", "browser"],
  [{ status: 599 }, "or a proxy before it, failed", "log"]
])("%j", (one, looks, remedy) => {
  const { message, remedy: given } = seen(one)
  expect(message).toContain(looks)
  expect(message).toContain("In detail: initialize was not answered")
  expect(given).toContain(remedy)
})

it("is left as it is where the server itself said what is wrong, or HTTP went well", () => {
  const said: Trouble = { ...trouble, code: -32602 }
  expect(seen({ status: 400 }, undefined, said)).toBe(said)
  expect(seen({ status: 200, type: "application/json" })).toBe(trouble)
  expect(onTheWeb(trouble, undefined, undefined)).toBe(trouble)
})
