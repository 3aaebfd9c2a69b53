/** What the expansion of a template by any values makes, the template takes apart into these values. */
import fc from "fast-check"
import { expect, it } from "vitest"
import { parseTemplate } from "url-template"
import { uriTemplate } from "../src/uri-template.js"

interface Part {
  readonly text: string
  readonly values: { readonly [name: string]: string | ReadonlyArray<string> | undefined }
}

/** Texts that a template of that operator can tell apart: where a separator may stand in a value, it does not here. */
const text = (operator: string) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 6 })
    .filter((value) => !/\p{Cs}/u.test(value) && value === value.trim())
    .filter((value) => !(operator === "." ? /[.]/ : /^[+#]$/.test(operator) ? /[,%]/ : /$^/).test(value))

const variable = (operator: string, name: string) =>
  fc.oneof(
    { weight: 3, arbitrary: text(operator).map((value) => [name, value] as const) },
    {
      weight: 1,
      arbitrary: fc.array(text(operator), { minLength: 1, maxLength: 3 }).map((list) => [`${name}*`, list] as const)
    },
    { weight: 1, arbitrary: fc.constant([name, undefined] as const) }
  )

const part = (index: number): fc.Arbitrary<Part> =>
  fc.constantFrom("", "+", "#", ".", "/", ";", "?", "&").chain((operator) =>
    fc
      .array(fc.nat(), { minLength: 1, maxLength: 3 })
      .chain((many) => fc.tuple(...many.map((_, i) => variable(operator, `v${index}_${i}`))))
      // A simple expression must have its first value.
      .filter(([first]) => !(operator === "" || operator === "+") || first![1] !== undefined)
      // A separator that may stand in a value as well belongs to the last one.
      .filter((variables) => !/^[+#]$/.test(operator) || variables.length === 1)
      .map((variables) => ({
        text: `{${operator}${variables.map(([spec]) => spec).join(",")}}`,
        values: Object.fromEntries(variables.map(([spec, value]) => [spec.replace("*", ""), value]))
      }))
  )

/** With one expression between texts that no value has in it. */
const given = fc
  .tuple(fc.constantFrom("x://", "note://ü/"), part(0), fc.constantFrom("", "/|end"))
  .map(([before, one, behind]) => ({ template: before + one.text + behind, values: one.values }))

it("takes apart what expansion makes", () => {
  fc.assert(
    fc.property(given, ({ template, values }) => {
      const uri = parseTemplate(template).expand(values as never)
      const there = Object.entries(values).filter(([, value]) => value !== undefined)
      const found = uriTemplate(template).match(uri)
      // A list that was not exploded, and a gap before a value, look like something else; neither is made here.
      const ordered = Object.values(values).map((value) => value !== undefined)
      const gap = ordered.indexOf(false) >= 0 && ordered.lastIndexOf(true) > ordered.indexOf(false)
      fc.pre(!gap || /^[^{]*\{[;?&]/.test(template))
      const explodes = template.includes("*") && /^[^{]*\{[^;?&]/.test(template) && there.length > 1
      fc.pre(!explodes)
      fc.pre(!template.endsWith("/|end") || !/\{[+#/]/.test(template))
      expect(found && Object.entries(found)).toEqual(there)
    }),
    { numRuns: 2_000 }
  )
})

it("is total, and what it takes apart it can put together again", () => {
  fc.assert(
    fc.property(part(0), fc.string({ unit: "grapheme" }), ({ text }, uri) => {
      const template = uriTemplate(`x:${text}`)
      const found = template.match(`x:${uri}`)
      if (found === undefined) return
      expect(template.match(parseTemplate(template.template).expand(found as never))).toBeDefined()
    }),
    { numRuns: 2_000 }
  )
})
