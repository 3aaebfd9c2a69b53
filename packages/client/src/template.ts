/** Resource templates, expanded: RFC 6570, all four levels. */
import { parseTemplate } from "url-template"

/** A value for a variable. One that is null or undefined is left out. */
export type TemplateValue =
  | string
  | number
  | boolean
  | ReadonlyArray<string | number | boolean>
  | { readonly [key: string]: string | number }
  | null
  | undefined

/**
 * The URI that a resource template and values for its variables make.
 *
 * ```ts
 * import { expandTemplate } from "@parley/client"
 *
 * expandTemplate("gift://{id}{?colour,size}", { id: "a b", colour: "red" }) // => "gift://a%20b?colour=red"
 * ```
 */
export const expandTemplate = (
  template: string | { readonly uriTemplate: string },
  values: { readonly [variable: string]: TemplateValue }
): string =>
  parseTemplate(typeof template === "string" ? template : template.uriTemplate).expand(
    // Without a prototype: {constructor} is a variable like any other.
    Object.assign(Object.create(null), values) as Parameters<ReturnType<typeof parseTemplate>["expand"]>[0]
  )
