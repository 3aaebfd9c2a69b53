/** What each revision has or has not beside methods and members, in words. */
import type { Features, Revision } from "@parley/core"
import { hasMember } from "../../packages/core/src/has-member.js"
import { code, listed } from "./markdown.ts"

/** What each feature comes to in a revision, in words. */
const features: {
  readonly [name in keyof Features]: { readonly title: string; readonly say: (revision: Revision) => string }
} = {
  batches: {
    title: "arrays of messages",
    say: ({ features }) => (features.batches ? "answered by an array" : "refused, `-32600`")
  },
  unreadableId: {
    title: "an error whose request's id could not be read",
    say: ({ features }) => (features.unreadableId === "null" ? "`id: null`" : "no `id`")
  },
  refusedArguments: {
    title: "arguments that do not fit a tool's schema",
    say: ({ features }) => (features.refusedArguments === "error" ? "an error, `-32602`" : "a result with `isError`")
  },
  forms: {
    title: "forms that a client can show",
    say: ({ features, questions }) => {
      if (!Object.hasOwn(questions, "elicitation/create")) return "none"
      return features.forms === "flat" ? "flat ones" : "all kinds of choices and defaults"
    }
  },
  asks: {
    title: "how a server asks the client",
    say: ({ features }) => (features.asks === "requests" ? "by requests of its own" : "by a result, `input_required`")
  },
  stamps: {
    title: "what every result says of itself",
    say: ({ features }) => (features.stamps === "none" ? "nothing" : "its type and its server")
  },
  logs: {
    title: "the level of logs is set for",
    say: ({ features }) => (features.logs === "session" ? "the session" : "each request")
  },
  missingCapability: {
    title: "a tool that needs what the client did not declare",
    say: ({ features }) => (features.missingCapability === "error" ? "an error, `-32021`" : "a result with `isError`")
  },
  unknownResource: {
    title: "a resource that is not there",
    say: ({ features }) => `an error, ${code(String(features.unknownResource))}`
  },
  closedExchange: {
    title: "a request whose exchange closes",
    say: ({ features }) => (features.closedExchange === "ignored" ? "goes on" : "is cancelled")
  },
  structured: {
    title: "structured results",
    say: (revision) => {
      if (!hasMember(revision, "CallToolResult", "structuredContent")) return "none"
      return revision.features.structured === "object" ? "objects" : "any value"
    }
  },
  pageRequired: {
    title: "a page to visit before anything can be done",
    say: (revision) => {
      if (!hasMember(revision, "ElicitParams", "url")) return "a result with `isError`"
      return revision.features.pageRequired === "error" ? "an error, `-32042`" : "asked for by a result"
    }
  },
  reservedCodes: {
    title: "error codes that no handler may choose",
    say: ({ features }) => {
      const ranges = features.reservedCodes.map(([lowest, highest]) => code(`${lowest} to ${highest}`))
      return ranges.length === 0 ? "none" : listed(ranges)
    }
  }
}

export const featureRows = (oldestFirst: ReadonlyArray<Revision>): ReadonlyArray<ReadonlyArray<string>> =>
  Object.values(features).map(({ title, say }) => [title, ...oldestFirst.map(say)])
