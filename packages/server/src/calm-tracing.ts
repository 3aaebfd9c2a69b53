/** A tracer that harms nothing: whatever it throws, the handler runs, once, and comes to what it comes to. */
import { calmly, fell } from "./calmly.js"
import type { Span, Traced, Tracing } from "./tracing.js"

export const calmTracing = (tracing: Tracing): Tracing => ({
  begin: (request) => {
    const span = begun(tracing, request)
    return { run: (work) => run(span, work), end: calmly((outcome) => span?.end(outcome)) }
  }
})

/** Nothing where it threw. */
function begun(tracing: Tracing, request: Traced): Span | undefined {
  try {
    return tracing.begin(request)
  } catch (error) {
    fell(error)
    return undefined
  }
}

function run<A>(span: Span | undefined, work: () => A): A {
  let came: Came<A> | undefined
  const once = (): A => worth((came ??= outcome(work)))
  try {
    span?.run(once)
  } catch (error) {
    // What the handler threw goes on below.
    if (came === undefined || !("error" in came) || came.error !== error) fell(error)
  }
  return once()
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
