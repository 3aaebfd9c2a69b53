/** Asks a model for one sentence on what a server can do; without an answer there is an example instead. */

/**
 * Asks at `AI_URL` through `/v1/chat/completions`, as OpenAI and many others offer it, with `AI_MODEL` and `AI_KEY` where they are set.
 * Never rejects: when there is no answer, `missing` says why and `sentence` is the example.
 */
export async function sentenceAbout(capabilities, { AI_URL, AI_MODEL, AI_KEY, AI_TIMEOUT_MS }) {
  const without = (missing) => ({ sentence: example, missing })
  const wrong = unusable(AI_URL, AI_KEY)
  if (wrong !== undefined) return without(wrong)
  const ms = Number(AI_TIMEOUT_MS) > 0 ? Math.min(Number(AI_TIMEOUT_MS), 2 ** 31 - 1) : 30_000
  const call = new AbortController()
  const late = setTimeout(() => call.abort("late"), ms)
  let began = false
  try {
    // Given as a base with or without /v1, or whole.
    const response = await fetch(
      `${AI_URL.trim().replace(/(\/v1(\/chat\/completions)?)?\/*$/, "")}/v1/chat/completions`,
      {
        method: "POST",
        headers: { "content-type": "application/json", ...(AI_KEY && authorization(AI_KEY)) },
        body: JSON.stringify({
          model: AI_MODEL ?? "default",
          messages: [{ role: "user", content: question(capabilities) }]
        }),
        signal: call.signal
      }
    )
    began = true
    if (!response.ok) return without(`the model's server answered ${response.status}`)
    const answer = await response.json()
    const sentence = onOneLine(answer?.choices?.[0]?.message?.content)
    return sentence === "" ? without("the answer has no sentence in it") : { sentence }
  } catch (error) {
    if (call.signal.aborted) return without(`no ${began ? "whole " : ""}answer in ${ms / 1000} s`)
    return without(began ? cut(error) : unreached(error))
  } finally {
    clearTimeout(late)
    // What is left of an answer that was refused is not waited for.
    call.abort("done")
  }
}

const question = (capabilities) =>
  `An MCP server declares the capabilities ${JSON.stringify(capabilities)}. In one sentence: what can it do?`

const example = "It offers tools to list and to call, the list never changes, and it has no resources, prompts or logs."

/** Without anything that a terminal would obey, and no longer than a sentence may be. */
const onOneLine = (text) =>
  (typeof text === "string" ? text : "")
    .replace(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, 600)

const authorization = (key) => ({ authorization: `Bearer ${key}` })

/** Why nothing can be sent, if that is so. A secret is not repeated. */
function unusable(url, key) {
  if (!url) return "AI_URL is not set"
  const { protocol, username, password } = URL.canParse(url) ? new URL(url) : {}
  if (protocol !== "http:" && protocol !== "https:")
    return "AI_URL does not begin with http:// or https://, or is no URL"
  if (username + password !== "")
    return "AI_URL has a user name or a password in it, which is not sent: a key goes into AI_KEY"
  try {
    return void new Headers(key && authorization(key))
  } catch {
    return "AI_KEY has characters in it that no header may have"
  }
}

/** Nothing came back. */
function unreached({ cause }) {
  const why = reason(cause)
  if (closed.has(why)) return "the model's server hung up without an answer"
  return why.startsWith("HPE_") ? "what answers at AI_URL does not speak HTTP" : `AI_URL can not be reached (${why})`
}

/** An answer had begun. */
function cut(error) {
  if (error instanceof SyntaxError) return "the answer is not JSON"
  const why = reason(error.cause)
  return closed.has(why) ? "the connection was cut in the middle of the answer" : `the answer can not be read (${why})`
}

/** A code such as ECONNREFUSED, or what stands in its place. */
const reason = (cause) => onOneLine(cause?.code ?? cause?.message) || "nobody says why"

const closed = new Set(["UND_ERR_SOCKET", "ECONNRESET", "EPIPE"])
