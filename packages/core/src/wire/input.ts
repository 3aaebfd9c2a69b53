/** Input that a request needs: what its result asks for, and the answers that its retry brings (2026-07-28). */
import * as Schema from "effect/Schema"
import { ElicitParams_2026_07_28, ElicitResult_2026_07_28 } from "./elicitation.js"
import { meta, withMeta } from "./meta.js"
import { ListRootsResult_2026_07_28 } from "./roots.js"
import { CreateMessageParams_2026_07_28, CreateMessageResult_2026_07_28 } from "./sampling.js"

const question = <Method extends string, Params extends Schema.Top>(method: Method, params: Params) =>
  Schema.Struct({ method: Schema.Literal(method), params })

export const InputRequest_2026_07_28 = Schema.Union([
  question("elicitation/create", ElicitParams_2026_07_28),
  question("sampling/createMessage", CreateMessageParams_2026_07_28),
  Schema.Struct({ method: Schema.Literal("roots/list"), params: Schema.optionalKey(Schema.Struct({ _meta: meta })) })
]).annotate({ description: "A question to the client: no message of its own, but a part of a result." })

export const InputRequests_2026_07_28 = Schema.Record(Schema.String, InputRequest_2026_07_28)

export const InputResponse_2026_07_28 = Schema.Union([
  CreateMessageResult_2026_07_28,
  ListRootsResult_2026_07_28,
  ElicitResult_2026_07_28
]).annotate({ description: "An answer: the bare result of its question." })

export const InputResponses_2026_07_28 = Schema.Record(Schema.String, InputResponse_2026_07_28)

const resultType = Schema.Literal("input_required")

/** 2026-07-28 basic/patterns/mrtr, Server Requirements: there are questions, or a state, or both. */
export const InputRequiredResult_2026_07_28 = Schema.Union([
  withMeta({ resultType, requestState: Schema.String, inputRequests: Schema.optionalKey(InputRequests_2026_07_28) }),
  withMeta({ resultType, requestState: Schema.optionalKey(Schema.String), inputRequests: InputRequests_2026_07_28 })
])
