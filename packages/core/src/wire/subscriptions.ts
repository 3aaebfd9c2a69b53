/** Subscriptions: one request that is answered when its stream of notifications ends (2026-07-28). */
import * as Schema from "effect/Schema"
import { anyObject, complete, requestId, strings, withMeta } from "./meta.js"

const wanted = Schema.optionalKey(Schema.Boolean)

export const SubscriptionFilter_2026_07_28 = Schema.Struct({
  toolsListChanged: wanted,
  promptsListChanged: wanted,
  resourcesListChanged: wanted,
  resourceSubscriptions: Schema.optionalKey(strings.annotate({ description: "URIs of resources." }))
})

export const SubscriptionsListenParams_2026_07_28 = withMeta({ notifications: SubscriptionFilter_2026_07_28 })

export const SubscriptionsAcknowledgedParams_2026_07_28 = withMeta({
  notifications: SubscriptionFilter_2026_07_28.annotate({ description: "What of the wish is honoured." })
})

export const SubscriptionsListenResult_2026_07_28 = Schema.Struct({
  ...complete({}).fields,
  _meta: Schema.StructWithRest(
    Schema.Struct({
      "io.modelcontextprotocol/subscriptionId": requestId.annotate({
        description: "The id of the request, in value and type."
      })
    }),
    [anyObject]
  )
})
