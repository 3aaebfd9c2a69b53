/** The opening: who both sides are, which version they speak and what they declare, once or with every request. */
import * as Schema from "effect/Schema"
import { icons } from "./annotations.js"
import { ProgressToken, anyObject, cacheable, params, strings, text, withMeta } from "./meta.js"
import { LoggingLevel } from "./progress.js"

export const Implementation_2024_11_05 = Schema.Struct({ name: Schema.String, version: Schema.String })
export const Implementation_2025_06_18 = Schema.Struct({ ...Implementation_2024_11_05.fields, title: text })
export const Implementation_2025_11_25 = Schema.Struct({
  ...Implementation_2025_06_18.fields,
  description: text,
  websiteUrl: text,
  icons
})

// Capabilities are only an object here: a known member of the wrong type counts as undeclared, it does not fail the
// handshake. Their strict shapes are in capabilities.ts.
const capabilities = (name: string) =>
  anyObject.annotate({
    description: `\`${name}\` as they came: a known member of the wrong type counts as undeclared.`
  })

const initializeParams = <Info extends Schema.Top>(clientInfo: Info) =>
  params({ protocolVersion: Schema.String, capabilities: capabilities("ClientCapabilities"), clientInfo })

const initializeResult = <Info extends Schema.Top>(serverInfo: Info) =>
  withMeta({
    protocolVersion: Schema.String,
    capabilities: capabilities("ServerCapabilities"),
    serverInfo,
    instructions: text
  })

export const InitializeParams_2024_11_05 = initializeParams(Implementation_2024_11_05)
export const InitializeParams_2025_06_18 = initializeParams(Implementation_2025_06_18)
export const InitializeParams_2025_11_25 = initializeParams(Implementation_2025_11_25)

export const InitializeResult_2024_11_05 = initializeResult(Implementation_2024_11_05)
export const InitializeResult_2025_06_18 = initializeResult(Implementation_2025_06_18)
export const InitializeResult_2025_11_25 = initializeResult(Implementation_2025_11_25)

export const RequestMeta_2026_07_28 = Schema.StructWithRest(
  Schema.Struct({
    "io.modelcontextprotocol/protocolVersion": Schema.String,
    "io.modelcontextprotocol/clientCapabilities": capabilities("ClientCapabilities"),
    "io.modelcontextprotocol/clientInfo": Schema.optionalKey(Implementation_2025_11_25),
    "io.modelcontextprotocol/logLevel": Schema.optionalKey(LoggingLevel),
    progressToken: Schema.optionalKey(ProgressToken)
  }),
  [anyObject]
).annotate({ description: "What every request says of its client." })

export const DiscoverResult_2026_07_28 = cacheable({
  supportedVersions: strings,
  capabilities: capabilities("ServerCapabilities"),
  instructions: text
})
