/** The trace that a request's `_meta` tells, as W3C trace context has it; what is malformed is as good as absent. */
import type { BaggageEntry, Context } from "@opentelemetry/api"
import {
  baggageEntryMetadataFromString,
  createTraceState,
  isSpanContextValid,
  propagation,
  trace
} from "@opentelemetry/api"
import type { JsonObject } from "@parley/core"

/** The context with `traceparent`, `tracestate` and `baggage` in it. It is read here, so it needs no propagator to be registered. */
export function parentOf(context: Context, meta: JsonObject | undefined): Context {
  const told = (key: string): string | undefined => {
    const value = meta !== undefined && Object.hasOwn(meta, key) ? meta[key] : undefined
    return typeof value === "string" && value.length <= longest ? value : undefined
  }
  const traced = withTrace(context, told("traceparent"), told("tracestate"))
  const baggage = told("baggage")
  return baggage === undefined ? traced : withBaggage(traced, baggage)
}

/** W3C baggage, Limits. */
const longest = 8_192

/** W3C trace context, traceparent: later versions may have more behind the flags. */
const format = /^(?!ff)[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(?=$|-)/

function withTrace(context: Context, traceparent = "", tracestate: string | undefined): Context {
  const [whole, traceId, spanId, flags] = format.exec(traceparent) ?? []
  if (traceId === undefined || spanId === undefined || flags === undefined) return context
  if (traceparent.startsWith("00") && whole !== traceparent) return context
  const told = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true }
  if (!isSpanContextValid(told)) return context
  const parent = tracestate === undefined ? told : { ...told, traceState: createTraceState(tracestate) }
  return trace.setSpanContext(context, parent)
}

function withBaggage(context: Context, text: string): Context {
  const entries: Record<string, BaggageEntry> = Object.create(null) as {}
  for (const member of text.split(",")) {
    const [pair = "", ...properties] = member.split(";")
    const at = pair.indexOf("=")
    const value = decoded(pair.slice(at + 1).trim())
    const key = pair.slice(0, Math.max(at, 0)).trim()
    if (key === "" || value === undefined) continue
    const metadata = properties.join(";").trim()
    entries[key] = metadata === "" ? { value } : { value, metadata: baggageEntryMetadataFromString(metadata) }
  }
  return propagation.setBaggage(context, propagation.createBaggage(entries))
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}
