/** Why a request that stands for itself (2026-07-28) is refused, by the bridge or by the server: an adapter takes the status from it. */
import type { Failure, Message, Report, Request } from "@parley/core"
import { isObject, member } from "@parley/core"
import { revisions } from "@parley/core/revisions"
import type { Output } from "@parley/core/server"

/** What the server on its streams can not see, or would take for a message of the older revisions. */
export function mismatched({ method, params }: Request, header: string | undefined): Failure | undefined {
  const body = member(params?.["_meta"], protocolVersion)
  if (typeof body !== "string") {
    const problem = { at: `_meta.${protocolVersion}`, expected: "a string" }
    return { _tag: "EnvelopeInvalid", method, problem, supported: perRequest }
  }
  return header === undefined || header === body ? undefined : { _tag: "HeaderMismatch", header, body }
}

const perRequest = revisions.filter(({ opening }) => opening === "request").map(({ name }) => name)

/** From which an adapter takes the status of an answer: by why the server refused it. */
export function judged(request: Request, reply: Message): ReadonlyArray<Output> {
  if (!("error" in reply)) return []
  const { code } = reply.error
  const meta = request.params?.["_meta"]
  const enveloped = typeof member(meta, protocolVersion) === "string" && isObject(member(meta, clientCapabilities))
  const tag = code === -32602 && !enveloped ? "EnvelopeInvalid" : byCode[code]
  return tag === undefined ? [] : reported(request, { _tag: tag } as Failure)
}

const byCode: { readonly [code: number]: Failure["_tag"] } = {
  [-32601]: "MethodUnknown",
  [-32600]: "InvalidRequest",
  [-32700]: "ParseFailed",
  [-32020]: "HeaderMismatch",
  [-32021]: "CapabilityMissing",
  [-32022]: "RevisionUnsupported"
}

export const reported = ({ id, method }: Request, failure: Failure): ReadonlyArray<Output> => {
  const report: Report = { _tag: "Refused", id, method, failure }
  return [{ _tag: "Report", report }]
}

export const protocolVersion = "io.modelcontextprotocol/protocolVersion"
export const clientCapabilities = "io.modelcontextprotocol/clientCapabilities"
