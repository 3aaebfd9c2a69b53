/** One HTTP request: with the user's headers, redirected within the origin only, and with words for what goes wrong. */
import type { Settings } from "./options.js"
import { sound } from "./options.js"
import { untold } from "./page.js"

export interface Ask {
  readonly method: "GET" | "POST" | "DELETE"
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  /** Ends it, also while its answer is read. */
  readonly cut: AbortController
  /** How long the head of the answer may take, in ms. */
  readonly ms?: number
}

/** There is no answer to use, and its message says why, to be shown to a person. `status` is 0 where there was none. */
export class Unanswered extends Error {
  override readonly name = "Unanswered"
  readonly status: number
  /** Trying again would come to the same. */
  readonly lasting: boolean
  constructor(status: number, why: string, lasting = false) {
    super(why)
    this.status = status
    this.lasting = lasting
  }
}

/** Rejects `Unanswered`. */
export async function ask(
  settings: Settings,
  { method, url, headers, body, cut, ms = Infinity }: Ask
): Promise<Response> {
  const given = await additional(settings)
  const init: RequestInit = { method, headers: { ...given, ...headers }, redirect: "manual", signal: cut.signal }
  if (body !== undefined) init.body = body
  const stop = deadline(cut, ms, `the server did not answer within ${ms} ms`)
  try {
    let at = url
    for (let left = redirects; ; left--) {
      const response = received(await settings.fetch(at.href, init))
      const target = redirected(response, at, method)
      if (target === undefined) return response
      await response.body?.cancel().catch(() => undefined)
      if (left === 0) throw new Unanswered(response.status, `it redirects more than ${redirects} times`)
      at = target
    }
  } catch (error) {
    throw error instanceof Unanswered ? error : new Unanswered(0, cutShort(cut) ?? inWords(error) + untold(url))
  } finally {
    stop()
  }
}

/** What a user's `fetch` gave, which may be anything. */
function received(given: Response | undefined): Response {
  if (typeof given?.status === "number" && typeof given.headers?.get === "function") return given
  const what = given === undefined || given === null ? "nothing" : `what is none (${typeof given})`
  throw new Unanswered(0, `the option fetch has to give a Response, and gave ${what}`)
}

/** Cuts it when the time is over, until the returned function is called. */
export function deadline(cut: AbortController, ms: number, why: string): () => void {
  if (ms === Infinity) return () => {}
  const timer = setTimeout(() => cut.abort(new Unanswered(0, why)), Math.min(ms, 2 ** 31 - 1))
  return () => clearTimeout(timer)
}

/** Why it was cut, where that was a matter of time. */
export const cutShort = ({ signal }: AbortController): string | undefined =>
  signal.reason instanceof Unanswered ? signal.reason.message : undefined

/** What a failed request says for itself: what is worth knowing is often said by its cause alone. */
export function inWords(error: unknown): string {
  const causes: Array<string> = []
  for (let one = error; one instanceof Error && causes.length < 4; one = one.cause) {
    const { code } = one as { readonly code?: unknown }
    const words = one.message === "" && typeof code === "string" ? code : one.message
    if (words !== "") causes.push(words)
  }
  return causes.length > 0 ? causes.join(": ") : String(error)
}

async function additional({ headers }: Settings): Promise<Readonly<Record<string, string>>> {
  if (typeof headers !== "function") return lower(headers)
  try {
    return lower(sound(await headers()))
  } catch (error) {
    throw new Unanswered(0, `the option headers gave none: ${inWords(error)}`)
  }
}

/** So that ours replace them whatever case they are written in. */
const lower = (headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))

/** Where to ask instead, when the answer says so and it may be done. */
function redirected(response: Response, from: URL, method: string): URL | undefined {
  const { status } = response
  if (response.type === "opaqueredirect")
    throw new Unanswered(
      0,
      "the server redirects, and a browser does not say where to: give the address that it redirects to"
    )
  const location = response.headers.get("location")
  if (![301, 302, 303, 307, 308].includes(status) || location === null) return undefined
  const to = URL.canParse(location, from) ? new URL(location, from) : undefined
  if (to?.origin !== from.origin)
    throw new Unanswered(
      status,
      `it redirects to ${to?.origin ?? "what is no address"}, which is another origin and is not followed: give that address if you trust it`
    )
  // The others mean that what is asked for next is another thing, without what was sent.
  if (method === "POST" && status !== 307 && status !== 308)
    throw new Unanswered(status, `it redirects to ${to.href} without what was sent: give that address`)
  return to
}

const redirects = 5
