/** What is declared is looked at where it is declared: programs without types get no help from the compiler. */
import type { RequestRow } from "@parley/core"
import { isObject, told } from "@parley/core"
import { handshakeRevisions, revisions } from "@parley/core/revisions"

/**
 * What an option may be: a whole number from there on, of the type at the text's end or one of the JSON texts between "or", an
 * object of such options, or `true` for what is looked at elsewhere.
 */
type Option = true | number | string | OptionTable

type OptionTable = { readonly [name: string]: Option }

/** Every option there is: one that the type has and this has not does not compile. */
export type Options<O> = { readonly [N in keyof O]-?: Option }

/** @throws TypeError for an option that is none, or is of another kind; `what` says whose it is */
export function known(what: string, given: unknown, options: OptionTable, path?: string): void {
  const names = Object.keys(options)
  const like = path === undefined ? "its options" : `${path}, such as { ${names[0]}: true }`
  if (!isObject(given)) throw new TypeError(`${what} needs an object for ${like}`)
  for (const [name, value] of Object.entries(given)) {
    const at = path === undefined ? name : `${path}.${name}`
    if (!names.includes(name)) throw new TypeError(`${what} has an unknown option ${at}; there are ${names.join(", ")}`)
    const option = options[name]!
    if (option === true || value === undefined) continue
    if (isObject(option)) known(what, value, option, at)
    else if (!isKind(option, value))
      throw new TypeError(
        `${what} needs ${typeof option === "number" ? `a whole number from ${option} on` : option} for ${at}`
      )
  }
}

const isKind = (option: number | string, value: unknown): boolean =>
  typeof option === "number"
    ? Number.isSafeInteger(value) && (value as number) >= option
    : option.endsWith(typeof value) || option.split(" or ").includes(JSON.stringify(value))

/** @throws TypeError when clients could not be told of it: something is missing, or of another kind than the specification has */
export const tellable = (what: string, method: string, listed: unknown): void =>
  fine(what, newest.items[method]!(listed))

/** @throws TypeError when clients could not be told who the server is */
export function introducible(serverInfo: unknown, instructions: unknown): void {
  const { result } = handshakeRevisions[0]!.client["initialize"] as RequestRow
  fine("The server", result({ protocolVersion: "", capabilities: {}, serverInfo, instructions }))
}

export const newest = revisions[0]!

function fine(what: string, problem: Parameters<typeof told>[0] | undefined): void {
  if (problem !== undefined) throw new TypeError(`${what} can not be announced: ${told(problem)}`)
}
