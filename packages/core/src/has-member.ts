/** Whether a shape has a member in a revision: what is sent is narrowed by the same. */
import type { Check } from "./check.js"
import type { Revision } from "./revision.js"
import type { RequestRow, Rows } from "./row.js"

/** The shapes that are sent and that users fill. */
export type Framed = keyof typeof checks

/**
 * Whether a shape has the member in the revision. A shape that the revision does not have has none; a name that no revision knows
 * is taken for somebody's own member, which is left alone.
 *
 * ```ts
 * import { hasMember } from "@parley/core"
 * import { v2025_03_26, v2025_06_18 } from "@parley/core/revisions"
 *
 * hasMember(v2025_03_26, "Tool", "outputSchema") // => false
 * hasMember(v2025_06_18, "Tool", "outputSchema") // => true
 * ```
 */
export function hasMember(revision: Revision, shape: Framed, member: string): boolean {
  const check = checks[shape](revision)
  return check !== undefined && revision.lacks(check)?.gone.has(member) !== true
}

const result = (rows: Rows, method: string): Check | undefined => (rows[method] as RequestRow | undefined)?.result

/** Where a revision has the check of each. */
const checks = {
  Implementation: ({ info }: Revision): Check | undefined => info,
  ServerCapabilities: ({ capabilities }: Revision) => capabilities.server,
  ClientCapabilities: ({ capabilities }: Revision) => capabilities.client,
  Tool: ({ items }: Revision) => items["tools/list"],
  Resource: ({ items }: Revision) => items["resources/list"],
  ResourceTemplate: ({ items }: Revision) => items["resources/templates/list"],
  Prompt: ({ items }: Revision) => items["prompts/list"],
  CallToolResult: ({ client }: Revision) => result(client, "tools/call"),
  GetPromptResult: ({ client }: Revision) => result(client, "prompts/get"),
  ReadResourceResult: ({ client }: Revision) => result(client, "resources/read"),
  CompleteResult: ({ client }: Revision) => result(client, "completion/complete"),
  CreateMessageParams: ({ questions }: Revision) => questions["sampling/createMessage"]?.params,
  ElicitParams: ({ questions }: Revision) => questions["elicitation/create"]?.params,
  CreateMessageResult: ({ questions }: Revision) => result(questions, "sampling/createMessage"),
  ElicitResult: ({ questions }: Revision) => result(questions, "elicitation/create"),
  ListRootsResult: ({ questions }: Revision) => result(questions, "roots/list"),
  ProgressParams: ({ server }: Revision) => server["notifications/progress"]?.params,
  CompleteParams: ({ client }: Revision) => client["completion/complete"]?.params
}
