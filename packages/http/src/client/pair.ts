/** HTTP+SSE of 2024-11-05: one stream brings everything, and says where messages go. */
import { deadline, inWords } from "./asking.js"
import { discard, events } from "./body.js"
import type { Connection } from "./connection.js"
import { asked, taken } from "./connection.js"
import { isStream } from "./following.js"
import { refusal } from "./reply.js"

/** Where messages go from now on, or why there is no such place. The stream is read for as long as the channel is open. */
export async function openPair(connection: Connection): Promise<URL | string> {
  const { settings, url, room } = connection
  const cut = new AbortController()
  connection.standing?.abort()
  connection.standing = cut
  try {
    const response = await asked(
      connection,
      { method: "GET", url, cut, ms: settings.answerMs },
      { accept: "text/event-stream" }
    )
    if (response.ok && isStream(response)) return await listen(response)
    await discard(response)
    return response.ok ? "what it answers is no stream of events" : refusal(response, "")
  } catch (error) {
    return inWords(error)
  }

  function listen(response: Response): Promise<URL | string> {
    return new Promise((resolve) => {
      let endpoint: URL | string | undefined
      // Other servers have streams at their address too: on them nothing need ever come.
      const ms = Math.min(settings.answerMs, endpointMs)
      const stop = deadline(cut, ms, `no endpoint came within ${ms} ms`)
      const found = (one: URL | string): void => {
        stop()
        endpoint ??= one
        resolve(endpoint)
        if (typeof endpoint === "string") cut.abort()
      }
      const reading = { response, cut, limit: settings.maxMessageBytes, room }
      events(
        reading,
        async ({ event, data }) => {
          if (event === "endpoint") found(within(data, url))
          else if (event === "message" && data !== "") await taken(connection, data, undefined, false)
        },
        () => {}
      ).then(
        () => over("the server ended the stream by which it answers"),
        (error: unknown) => over(`the stream by which the server answers broke: ${inWords(error)}`)
      )
      function over(why: string): void {
        if (cut.signal.aborted && typeof endpoint !== "string" && endpoint !== undefined) return
        if (endpoint === undefined || typeof endpoint === "string") found(why)
        else connection.end({ _tag: "Gone", detail: why })
      }
    })
  }
}

/** How long the first event may take, in ms. */
const endpointMs = 5_000

function within(data: string, url: URL): URL | string {
  if (!URL.canParse(data, url))
    return `it says that messages go to ${JSON.stringify(data.slice(0, 200))}, which is no address`
  const endpoint = new URL(data, url)
  return endpoint.origin === url.origin
    ? endpoint
    : `it says that messages go to ${endpoint.origin}, which is another origin than it is itself`
}
