/** A tracer that harms nothing, of spans that end once: whatever it throws, the handler runs, once, and comes to what it comes to. */
import { calmly, fell, heed, isThenable } from "./calmly.js"
import type { Outcome, Span, Traced, Tracing } from "./tracing.js"

export const calmTracing = (tracing: Tracing): Tracing => ({
  begin: (request) => {
    const span = begun(tracing, request)
    let ended = false
    const end = (outcome: Outcome): unknown => {
      if (ended) return undefined
      ended = true
      return span?.end(outcome)
    }
    return { run: (work) => run(span, work), end: calmly(end) }
  }
})

/** Nothing where it threw. */
function begun(tracing: Tracing, request: Traced): Span | undefined {
  try {
    return heed(tracing.begin(request))
  } catch (error) {
    fell(error)
    return undefined
  }
}

function run<A>(span: Span | undefined, work: () => A): A {
  let came: Came<A> | undefined
  const once = (): A => worth((came ??= outcome(work)))
  try {
    const ran = span?.run(once)
    if (isThenable(ran)) void watch(ran, once)
  } catch (error) {
    // What the handler threw goes on below.
    if (came === undefined || !("error" in came) || came.error !== error) fell(error)
  }
  return once()
}

/** A run that makes a promise of its own: what the handler's rejects with goes on elsewhere. */
async function watch(ran: PromiseLike<unknown>, once: () => unknown): Promise<void> {
  const fate = async (of: () => unknown): Promise<Came<unknown>> => {
    try {
      return { value: await of() }
    } catch (error) {
      return { error }
    }
  }
  const [its, own] = await Promise.all([fate(() => ran), fate(once)])
  if ("error" in its && !("error" in own && own.error === its.error)) fell(its.error)
}

type Came<A> = { readonly value: A } | { readonly error: unknown }

function outcome<A>(work: () => A): Came<A> {
  try {
    return { value: work() }
  } catch (error) {
    return { error }
  }
}

function worth<A>(came: Came<A>): A {
  if ("error" in came) throw came.error
  return came.value
}
