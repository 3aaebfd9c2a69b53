/** Which URIs fit a template, and what they say. */
import { describe, expect, it } from "vitest"
import { uriTemplate } from "../src/uri-template.js"

describe("a template", () => {
  it.each([
    ["gift://{id}", "gift://12", { id: "12" }],
    ["gift://{id}", "gift://a%20b%C3%BC", { id: "a bü" }],
    ["gift://{id}", "gift://ü", { id: "ü" }],
    ["file:///{+path}", "file:///a/b.txt", { path: "a/b.txt" }],
    ["note://x{/a,b}", "note://x/1/2", { a: "1", b: "2" }],
    ["note://x{/a,b}", "note://x/1", { a: "1" }],
    ["note://x{/a,b}", "note://x", {}],
    ["note://x{/path*}", "note://x/1/2/3", { path: ["1", "2", "3"] }],
    ["note://{a,b}", "note://1,2", { a: "1", b: "2" }],
    ["note://{list}", "note://1,2", { list: "1,2" }],
    ["note://{list*}", "note://1,2", { list: ["1", "2"] }],
    ["note://{a}-{b}", "note://1-2-3", { a: "1-2", b: "3" }],
    ["note://{a:1}{b}", "note://%C3%BCbc", { a: "ü", b: "bc" }],
    ["note://x{.ext}", "note://x.tar.gz", { ext: "tar.gz" }],
    ["note://x{.a,b}", "note://x.tar.gz", { a: "tar", b: "gz" }],
    ["note://x{#part}", "note://x#a/b", { part: "a/b" }],
    ["note://x{;a,b}", "note://x;a;b=2", { a: "", b: "2" }],
    ["note://x{?q,page}", "note://x?q=a%26b&page=2", { q: "a&b", page: "2" }],
    ["note://x{?q,page}", "note://x?page=2", { page: "2" }],
    ["note://x{?q,page}", "note://x?q=", { q: "" }],
    ["note://x{?tags*}", "note://x?tags=a&tags=b", { tags: ["a", "b"] }],
    ["note://x?fixed=1{&q}", "note://x?fixed=1&q=2", { q: "2" }],
    ["note://ü/{id}", "note://%C3%BC/1", { id: "1" }],
    ["note://{__proto__}", "note://1", JSON.parse('{"__proto__":"1"}')]
  ])("%s is made into %s by these values", (template, uri, values) => {
    expect(Object.entries(uriTemplate(template).match(uri) ?? {})).toEqual(Object.entries(values))
    expect(uriTemplate(template).match(uri)).toBeDefined()
  })

  it.each([
    ["gift://{id}", "gift://"],
    ["gift://{id}", "gift://a/b"],
    ["gift://{id}", "gift://a?b"],
    ["gift://{id}", "gift://a%"],
    ["gift://{id}", "gift://a%zz"],
    ["gift://{id}", "gift://%FF"],
    ["gift://{id}", "gift://%C0%80"],
    ["gift://{id}", "Gift://a"],
    ["gift://{id}", " gift://a"],
    ["gift://{id}", "gift://a\n"],
    ["gift://{id:2}", "gift://abc"],
    ["note://x{?q,page}", "note://x?page=2&q=1"],
    ["note://x{?q,page}", "note://x&page=2"],
    ["note://x{?ab}", "note://x?a=b"],
    ["note://x{?a}", "note://x?ab"],
    ["note://x{;a}", "note://x;ab"],
    ["gift://{id}", `gift://${"a".repeat(10_000)}`]
  ])("%s is never made into %.40j", (template, uri) => {
    expect(uriTemplate(template).match(uri)).toBeUndefined()
  })

  it("names its variables in order", () => {
    expect(uriTemplate("x://{a}{?b,c*}{d:3}").variables).toEqual(["a", "b", "c", "d"])
  })

  it.each([
    ["x://{a", "not closed"],
    ["x://a}", "not closed"],
    ["x://{}", "no expression"],
    ["x://{=a}", "no expression"],
    ["x://{a b}", "no expression"],
    ["x://{a:0}", "no variable"],
    ["x://{a,,b}", "no variable"],
    ["x://{a:3*}", "no variable"],
    ["x://{a}{a}", "twice"],
    [`x://${Array.from({ length: 800 }, (_, i) => `{v${i}}`).join("")}`, "too long"]
  ])("%.20s is refused: %s", (template, why) => {
    expect(() => uriTemplate(template)).toThrow(why)
  })

  it("takes no longer for hostile URIs than their length makes it", () => {
    const names = Array.from({ length: 20 }, (_, i) => `v${i}`)
    const template = uriTemplate(
      `x://${names.map((name) => `{+${name}}`).join("")}!${names.map((name) => `{?w${name}*}`).join("")}`
    )
    expect(template.match(`x://${"a".repeat(8_000)}`)).toBeUndefined()
    expect(template.match(`x://${",%41".repeat(2_000)}`)).toBeUndefined()
  }, 5_000)
})
