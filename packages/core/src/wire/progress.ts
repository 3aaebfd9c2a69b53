/** Progress, cancellation and log messages: what may be said beside a reply. */
import * as Schema from "effect/Schema"
import { ProgressToken, params, requestId, text, withMeta } from "./meta.js"

const progress = { progressToken: ProgressToken, progress: Schema.Finite, total: Schema.optionalKey(Schema.Finite) }

export const ProgressParams_2024_11_05 = withMeta(progress)
export const ProgressParams_2025_03_26 = withMeta({ ...progress, message: text })

export const CancelledParams_2024_11_05 = withMeta({ requestId, reason: text })
export const CancelledParams_2025_11_25 = withMeta({ requestId: Schema.optionalKey(requestId), reason: text })

// In 2025-11-25 alone it may be absent, for tasks.
export const CancelledParams_2026_07_28 = withMeta({ requestId, reason: text })

export const LoggingLevel = Schema.Literals([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency"
]).annotate({ description: "From least to most severe." })

export const SetLevelParams = params({ level: LoggingLevel })

export const LoggingMessageParams = withMeta({ level: LoggingLevel, data: Schema.Unknown, logger: text })
