/** Forms that the server asks to be filled in: answers that fit are sent, with defaults. */
import { describe, expect, it } from "vitest"
import { Rejected } from "../src/index.js"
import { accepting, answering, form, page } from "./asked.js"

describe("a form", () => {
  const fields = {
    guests: { type: "integer", minimum: 1 },
    where: { type: "string", enum: ["in", "out"], default: "in" },
    wine: { type: "boolean", default: false }
  }

  it("is answered with what the handler gives, and defaults where it gives nothing", async () => {
    const seen: Array<unknown> = []
    const { ask, client } = await answering({
      elicit: (asked, { server, defaults, check, signal }) => {
        seen.push(asked, server, defaults, signal.aborted)
        expect(check({ guests: 0 })).toBe("guests: must be at least 1")
        expect(check({})).toBe("guests: missing")
        expect(check({ guests: 2 })).toBeUndefined()
        return { action: "accept", content: { guests: 2, wine: true } }
      }
    })
    const asked = form(fields, ["guests"])
    expect(await ask("elicitation/create", asked)).toMatchObject({
      result: { action: "accept", content: { guests: 2, where: "in", wine: true } }
    })
    expect(seen).toEqual([asked, client.peer, { where: "in", wine: false }, false])
  })

  it("takes every kind of field, each with its default", async () => {
    const options = [
      { const: "a", title: "A" },
      { const: "b", title: "B" }
    ]
    const { ask } = await answering({ elicit: () => ({ action: "accept" }) })
    const asked = form({
      text: { type: "string", format: "email", default: "a@b.example" },
      number: { type: "number", default: 1.5 },
      integer: { type: "integer", default: 1 },
      boolean: { type: "boolean", default: true },
      plain: { type: "string", enum: ["a", "b"], default: "a" },
      older: { type: "string", enum: ["a", "b"], enumNames: ["A", "B"], default: "b" },
      titled: { type: "string", oneOf: options, default: "a" },
      several: { type: "array", items: { type: "string", enum: ["a", "b"] }, minItems: 1, default: ["a"] },
      titledSeveral: { type: "array", items: { anyOf: options }, maxItems: 2, default: ["a", "b"] },
      nothing: { type: "string" },
      ["__proto__"]: { type: "string" }
    })
    expect(await ask("elicitation/create", asked)).toMatchObject({
      result: {
        action: "accept",
        content: {
          text: "a@b.example",
          number: 1.5,
          integer: 1,
          boolean: true,
          plain: "a",
          older: "b",
          titled: "a",
          several: ["a"],
          titledSeveral: ["a", "b"]
        }
      }
    })
  })

  it.each<[object, string]>([
    [{ guests: 0 }, "guests: must be at least 1"],
    [{ where: "in" }, "guests: missing"],
    [{ guests: 1, where: "elsewhere" }, "where: "]
  ])("whose answer does not fit is not answered with it: %j", async (content, why) => {
    const { ask, unsendable } = await answering({ elicit: accepting(content) })
    expect(await ask("elicitation/create", form(fields, ["guests"]))).toMatchObject({
      error: { code: -32603, message: "Internal error: elicitation/create could not be answered" }
    })
    expect(unsendable()).toEqual([expect.stringContaining(`the answer does not fit the form: ${why}`)])
  })

  it("whose answer is not of a field's format is not answered with it, and the field is named", async () => {
    const when = {
      mail: { type: "string", format: "email" },
      page: { type: "string", format: "uri" },
      day: { type: "string", format: "date" },
      at: { type: "string", format: "date-time", title: "At" }
    }
    const wrong = { mail: "nope", page: "nope", day: "nope", at: "nope" }
    const { ask, unsendable } = await answering({ elicit: accepting(wrong) })
    expect(await ask("elicitation/create", form(when))).toMatchObject({ error: { code: -32603 } })
    expect(unsendable()).toEqual([
      "the answer does not fit the form: mail: must be an email address, like ada@example.com; " +
        "page: must be a URI with its scheme, like https://example.com; day: must be a date, like 1999-12-31; " +
        "at: must be a date and time with its offset, like 1999-12-31T09:30:00Z"
    ])
    const right = { mail: "ada@example.com", page: "mailto:ada@example.com", day: "2026-01-31" }
    const other = await answering({ elicit: accepting(right) })
    expect(await other.ask("elicitation/create", form(when))).toMatchObject({ result: { content: right } })
  })

  it("may leave a field as the server itself began it", async () => {
    const { ask } = await answering({ elicit: accepting({}) })
    const mail = { type: "string", format: "email", default: "" }
    expect(await ask("elicitation/create", form({ mail }))).toMatchObject({ result: { content: { mail: "" } } })
  })

  it("whose schema needs a library is checked all the same", async () => {
    const { ask } = await answering({ elicit: accepting({ code: "12" }) })
    const code = { type: "string", pattern: "^[a-z]+$" }
    expect(await ask("elicitation/create", form({ code }))).toMatchObject({ error: { code: -32603 } })
  })

  it("whose answer has members of a kind that the revision lacks is not answered with them", async () => {
    const { ask, unsendable } = await answering({ elicit: accepting({ extra: { a: 1 } }) })
    expect(await ask("elicitation/create", form({}))).toMatchObject({ error: { code: -32603 } })
    expect(unsendable()).toEqual([expect.stringContaining("content")])
  })

  it.each(["decline", "cancel"] as const)("that the user met with %s has no content", async (action) => {
    const { ask } = await answering({ elicit: () => ({ action, content: { a: 1 } }) as never })
    expect((await ask("elicitation/create", form({}))).result).toEqual({ action })
  })

  it("is declined where its handler throws Rejected", async () => {
    const { ask } = await answering({ elicit: () => Promise.reject(new Rejected()) })
    expect((await ask("elicitation/create", form({}))).result).toEqual({ action: "decline" })
  })

  it("of pages only is refused, and so are pages of forms only", async () => {
    const forms = await answering({ elicit: accepting({}) })
    expect(await forms.ask("elicitation/create", page)).toMatchObject({ error: { code: -32602 } })
    const pages = await answering({ elicit: { url: () => ({ action: "accept" }) } })
    expect(await pages.ask("elicitation/create", form({}))).toMatchObject({ error: { code: -32602 } })
  })
})
