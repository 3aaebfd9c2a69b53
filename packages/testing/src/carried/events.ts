/** A stream of events, read anew: what the adapters write is under test. */

/** Hands up the data of each event that has some. */
export async function eventsOf(response: Response, take: (data: string) => void): Promise<void> {
  const reader = response.body!.getReader()
  const decoder = new TextDecoder("utf-8", { fatal: true })
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) break
    text += decoder.decode(value, { stream: true })
    const events = text.split("\n\n")
    text = events.pop()!
    for (const event of events) {
      const data = event.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5).trimStart()] : []))
      if (data.join("") !== "") take(data.join("\n"))
    }
  }
  if (text !== "") throw new Error(`a stream that ends inside an event: ${text.slice(0, 100)}`)
}
