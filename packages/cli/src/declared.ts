/** Which capabilities this client declares: what it may be asked. */
import { promises } from "./options.js"
import { isRecord } from "./schema.js"
import { Stop } from "./trouble.js"

export interface Declared {
  readonly form: boolean
  readonly url: boolean
  readonly sampling: boolean
  readonly samplingTools: boolean
  readonly samplingContext: boolean
  readonly roots: boolean
  readonly rootsListChanged: boolean
}

/** What other options call for is declared beside what the list names. */
export function declaredBy(
  given: string | undefined,
  called: { readonly sampling: boolean; readonly roots: boolean }
): Declared {
  const names = new Set(given === undefined ? ["elicitation.form", "elicitation.url"] : namesOf(given.trim()))
  const all = [...names]
  const under = (name: string): boolean => all.some((one) => one === name || one.startsWith(`${name}.`))
  // An empty `elicitation` has always meant forms.
  const bare = names.has("elicitation") && !names.has("elicitation.form") && !names.has("elicitation.url")
  return {
    form: bare || names.has("elicitation.form"),
    url: names.has("elicitation.url"),
    sampling: called.sampling || under("sampling"),
    samplingTools: names.has("sampling.tools"),
    samplingContext: names.has("sampling.context"),
    roots: called.roots || under("roots"),
    rootsListChanged: names.has("roots.listChanged")
  }
}

function namesOf(given: string): ReadonlyArray<string> {
  const listed = given.split(/[\s,]+/).filter((name) => name !== "")
  if (listed.length === 0 || (listed.length > 1 && listed.includes("none")))
    throw new Stop("usage", "--client-capabilities takes a list of capabilities, or the one word none", possible)
  const names = given.startsWith("{") ? flattened(given) : listed.filter((name) => name !== "none")
  const strange = names.find((name) => !promises.includes(name))
  if (strange === undefined) return names
  throw new Stop(
    "usage",
    `--client-capabilities: this client can not keep the promise ${JSON.stringify(strange)}`,
    possible
  )
}

const possible = `it can promise ${promises.join(", ")}`

/** `{"elicitation":{"url":{}}}` as `elicitation`, `elicitation.url`. */
function flattened(given: string): ReadonlyArray<string> {
  let json: unknown
  try {
    json = JSON.parse(given)
  } catch (error) {
    throw new Stop("usage", `--client-capabilities is not JSON: ${(error as Error).message}`, undefined)
  }
  return Object.entries(json as object).flatMap(([name, value]) => {
    if (!isRecord(value)) throw amiss(name, "an object")
    const flags = Object.entries(value).flatMap(([key, flag]) => {
      if (key === "listChanged" ? typeof flag !== "boolean" : !isRecord(flag))
        throw amiss(`${name}.${key}`, key === "listChanged" ? "true or false" : "an object")
      return flag === false ? [] : [`${name}.${key}`]
    })
    return [name, ...flags]
  })
}

const amiss = (name: string, what: string): Stop =>
  new Stop("usage", `--client-capabilities: ${name} is ${what}`, `such as {"elicitation":{"form":{}}}`)
