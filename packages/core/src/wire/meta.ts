/** What every params and every result may carry, and the pieces that shapes share: their names begin small. */
import * as Schema from "effect/Schema"

/** Passed on as it is: an object whose members are not walked. */
export const anyObject = Schema.Record(Schema.String, Schema.Unknown)

export const strings = Schema.Array(Schema.String)

/** A member that may be absent and is else a string. */
export const text = Schema.optionalKey(Schema.String)

/** Strings by name, where they may be absent. */
export const texts = Schema.optionalKey(Schema.Record(Schema.String, Schema.String))

/** An integer that a double holds exactly is as good as a string. */
export const requestId = Schema.Union([Schema.String, Schema.Int])

export const ProgressToken = Schema.Union([Schema.String, Schema.Int]).annotate({
  description: "A string or an integer, chosen by whoever asks for progress and echoed in value and type."
})

export const Meta = Schema.Record(Schema.String, Schema.Unknown).annotate({
  description: "What only passes through: keys belong to whoever put them there."
})

export const RequestMeta = Schema.StructWithRest(Schema.Struct({ progressToken: Schema.optionalKey(ProgressToken) }), [
  anyObject
])

export const meta = Schema.optionalKey(Meta)

/** Params of a request: `_meta` may hold a progress token. */
export const params = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ ...fields, _meta: Schema.optionalKey(RequestMeta) })

/** Results and the params of notifications: `_meta` is any object. */
export const withMeta = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  Schema.Struct({ ...fields, _meta: meta })

// Since 2026-07-28 the `_meta` of a request is the envelope: `RequestMeta` judges it, before the request's method is known, so
// that the params of a method have nothing more to say of it.

/** Params of a request that may be made once more, with what the server asked for. */
export const retriable = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  withMeta({
    ...fields,
    inputResponses: Schema.optionalKey(
      anyObject.annotate({
        description: "Answers by the key of their question; others than those asked for are ignored."
      })
    ),
    requestState: Schema.optionalKey(
      Schema.String.annotate({ description: "What came with the questions, unchanged." })
    )
  })

/** A result since 2026-07-28. 2026-07-28 basic, ResultType: one that does not say its type is complete. */
export const complete = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  withMeta({ ...fields, resultType: Schema.optionalKey(Schema.Literal("complete")) })

/** A result that may be kept. 2026-07-28 server/utilities/caching: hints that are absent, and negative ones, mean that it may not. */
export const cacheable = <Fields extends Schema.Struct.Fields>(fields: Fields) =>
  complete({
    ...fields,
    ttlMs: Schema.optionalKey(Schema.Int.annotate({ description: "Milliseconds for which the result stays fresh." })),
    cacheScope: Schema.optionalKey(
      Schema.Literals(["public", "private"]).annotate({ description: "Whether others than who asked may be given it." })
    )
  })

export const EmptyParams = params({})
export const EmptyParams_2026_07_28 = withMeta({})
export const NotificationParams = withMeta({})
export const EmptyResult = withMeta({})

export const PaginatedParams = params({ cursor: text })
export const PaginatedParams_2026_07_28 = withMeta({ cursor: text })

/** The items of a page, left for their own check. */
export const unwalked = Schema.Array(Schema.Unknown)

/** A null cursor ends the walk as an absent one does. */
export const nextCursor = Schema.optionalKey(Schema.NullOr(Schema.String))

/** The strict result of a list, every item walked. */
export const list = <Fields extends Schema.Struct.Fields>(items: Fields) => withMeta({ ...items, nextCursor: text })
