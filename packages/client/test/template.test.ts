/** Templates of RFC 6570: expanded here, they are what the server's side reads back. */
import { resourceTemplate } from "@parley/server"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { TemplateValue } from "../src/index.js"
import { expandTemplate } from "../src/index.js"

describe("a template", () => {
  it.each<[string, { readonly [name: string]: TemplateValue }, string]>([
    ["note://{id}", { id: "a b/c" }, "note://a%20b%2Fc"],
    ["file:///{+path}", { path: "a b/c" }, "file:///a%20b/c"],
    ["x:{?a,b}{&c}", { a: 1, c: true }, "x:?a=1&c=true"],
    ["x:{/list*}{?map*}", { list: ["a", "b"], map: { k: "v" } }, "x:/a/b?k=v"],
    ["x:{id:3}", { id: "abcdef" }, "x:abc"],
    ["x:{#here}", { here: undefined }, "x:"],
    ["x:{constructor}{toString}", {}, "x:"],
    ["x:{__proto__}", JSON.parse('{ "__proto__": "p" }') as {}, "x:p"]
  ])("%s with %j", (template, values, uri) => {
    expect(expandTemplate(template, values)).toBe(uri)
    expect(expandTemplate({ uriTemplate: template }, values)).toBe(uri)
  })

  it("expanded is what matches it, with the same values", () => {
    const value = fc.string({ minLength: 1, unit: "grapheme" })
    fc.assert(
      fc.property(value, value, value, (a, b, c) => {
        const template = "x://{a}/{b}{?c}"
        const uri = expandTemplate(template, { a, b, c })
        const read = resourceTemplate(template, { name: "t" }, () => "").uriTemplate.match(uri)
        expect({ ...read }).toEqual({ a, b, c })
      })
    )
  })
})
