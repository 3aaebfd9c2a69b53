/** Spans of OpenTelemetry for the runs of handlers, by its conventions for MCP, as children of the trace that a client tells. */
import type { Attributes, Span, TracerProvider } from "@opentelemetry/api"
import { context, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api"
import type { Peer } from "@parley/core"
import { revisionNamed, revisions } from "@parley/core/revisions"
import type { CallFailure, Target } from "@parley/core/server"
import type { Outcome, Traced, Tracing } from "../tracing.js"
import { parentOf } from "./parent.js"

export interface OpenTelemetryOptions {
  /** Who makes the spans. Default: the one that is registered globally. */
  readonly provider?: TracerProvider
}

/**
 * A span for each run of a handler, named as the OpenTelemetry conventions for MCP name it: `tools/call add`. Its parent is
 * what the request's `_meta` tells as `traceparent`, `tracestate` and `baggage`. A handler that waits for the client's
 * answers has a span for each of its runs. Of arguments and results nothing is recorded but the URI that is read; of errors,
 * those that a handler throws by accident, as exceptions: not what it says by `failed`, nor why arguments do not fit.
 *
 * ```ts
 * import { link } from "@parley/driver"
 * import { defineServer, serve } from "@parley/server"
 * import { openTelemetry } from "@parley/server/opentelemetry"
 *
 * const [near] = link()
 * const empty = defineServer({ name: "empty", version: "1.0.0" }, [])
 * await serve(empty, near, { tracing: openTelemetry() }).close()
 * ```
 */
export function openTelemetry({ provider }: OpenTelemetryOptions = {}): Tracing {
  const tracer = (provider ?? trace).getTracer("@parley/server")
  return {
    begin: (request) => {
      const parent = parentOf(context.active(), request.meta)
      const { method, name } = subject(request.target)
      const span = tracer.startSpan(
        name === undefined ? method : `${method} ${name}`,
        { kind: SpanKind.SERVER, attributes: attributes(request) },
        parent
      )
      const own = trace.setSpan(parent, span)
      return {
        run: (work) => context.with(own, work),
        end: (outcome) => {
          settle(span, outcome, request)
          span.end()
        }
      }
    }
  }
}

function subject(target: Target): { readonly method: string; readonly name?: string; readonly uri?: string } {
  switch (target._tag) {
    case "Tool":
      return { method: "tools/call", name: target.name }
    case "Prompt":
      return { method: "prompts/get", name: target.name }
    case "Method": {
      const uri = target.params?.["uri"]
      return typeof uri === "string" ? { method: target.method, uri } : { method: target.method }
    }
  }
}

function attributes({ target, id, peer, session }: Traced): Attributes {
  const { method, name, uri } = subject(target)
  return {
    "mcp.method.name": method,
    "mcp.protocol.version": peer.revision,
    "jsonrpc.request.id": String(id),
    "parley.session": session,
    ...(method === "tools/call" ? { "gen_ai.operation.name": "execute_tool", "gen_ai.tool.name": name } : {}),
    ...(method === "prompts/get" ? { "gen_ai.prompt.name": name } : {}),
    ...(uri === undefined ? {} : { "mcp.resource.uri": uri })
  }
}

function settle(span: Span, outcome: Outcome, { target, peer }: Traced): void {
  switch (outcome._tag) {
    case "Succeeded":
      if (!sendable(target, outcome.result)) return refused(span, -32603, "the result is not valid")
      return saysError(outcome.result) ? failed(span, "tool_error", "the tool's result is an error") : undefined
    case "ArgumentsRefused":
      return failed(span, "tool_error", "the arguments do not fit")
    case "Suspended":
      return void span.setAttribute("parley.outcome", "input_required")
    case "Interrupted":
      return failed(span, "cancelled", "cancelled")
    case "Failed": {
      const { failure, error } = outcome
      if (failure._tag === "Crashed" && error instanceof Error) span.recordException(error)
      const [code, message] = told(failure, peer)
      return target._tag === "Tool" && failure._tag !== "Chosen" && code !== -32021
        ? failed(span, "tool_error", message)
        : refused(span, code, message)
    }
  }
}

/** The client gets an error with that code. */
function refused(span: Span, code: number, message: string): void {
  span.setAttribute("rpc.response.status_code", String(code))
  failed(span, String(code), message)
}

function failed(span: Span, type: string, message: string): void {
  span.setAttribute("error.type", type)
  span.setStatus({ code: SpanStatusCode.ERROR, message })
}

/** In words of our own: those of the handler may be made of its arguments. */
function told(failure: CallFailure, { revision }: Peer): readonly [code: number, message: string] {
  switch (failure._tag) {
    case "Crashed":
      return [-32603, "the handler failed"]
    case "Told":
      return [-32603, "the handler said what went wrong"]
    case "CapabilityMissing": {
      const error = revisionNamed(revision)?.features.missingCapability === "error"
      return [error ? -32021 : -32603, "the client did not declare what the request needs"]
    }
    case "ResourceUnknown":
      return [revisionNamed(revision)?.features.unknownResource ?? -32602, "there is no such resource"]
    case "Chosen":
      return [failure.code, "the request was refused"]
  }
}

/** What older revisions can not say is left out for them; what the newest does not take is not sent. */
function sendable(target: Target, result: unknown): boolean {
  const { method } = subject(target)
  const row = revisions.find(({ client }) => method in client)?.client[method]
  if (row?.kind !== "request") return true
  // How long it may be kept is added where the handler does not say it.
  return row.result(row.cacheable ? Object.assign({ ttlMs: 0, cacheScope: "private" }, result) : result) === undefined
}

const saysError = (result: unknown): boolean =>
  typeof result === "object" && result !== null && (result as { readonly isError?: unknown }).isError === true
