/** What is mutated and which tests must notice. A file named here that does not exist is an error. */

/** Every `v*.ts` here is a revision: its rows and features lose one column at a time. */
export const tables = "packages/core/src/revisions"

/** What may be said of a feature. */
export const features = "packages/core/src/revision.ts"

/** Every branch and refusal of these is negated or dropped. */
export const gates = [
  "packages/core/src/jsonrpc.ts",
  "packages/core/src/batch.ts",
  "packages/core/src/narrow.ts",
  "packages/core/src/narrow-question.ts",
  "packages/core/src/outcome.ts",
  "packages/core/src/peer.ts",
  "packages/core/src/checks/shape.ts",
  "packages/core/src/stored.ts",
  "packages/core/src/definition.ts",
  "packages/core/src/extension.ts",
  "packages/core/src/server/ask.ts",
  "packages/core/src/server/balanced.ts",
  "packages/core/src/server/cancel.ts",
  "packages/core/src/server/codec.ts",
  "packages/core/src/server/compiled.ts",
  "packages/core/src/server/ending.ts",
  "packages/core/src/server/entry.ts",
  "packages/core/src/server/gate.ts",
  "packages/core/src/server/input.ts",
  "packages/core/src/server/listen.ts",
  "packages/core/src/server/log.ts",
  "packages/core/src/server/notify.ts",
  "packages/core/src/server/offers.ts",
  "packages/core/src/server/opening.ts",
  "packages/core/src/server/overtaken.ts",
  "packages/core/src/server/progress.ts",
  "packages/core/src/server/receive.ts",
  "packages/core/src/server/reply.ts",
  "packages/core/src/server/request.ts",
  "packages/core/src/server/settle.ts",
  "packages/core/src/server/stamp.ts",
  "packages/core/src/server/step.ts",
  "packages/core/src/server/subscribe.ts",
  "packages/core/src/server/target.ts",
  "packages/core/src/server/withdraw.ts",
  "packages/core/src/client/ask.ts",
  "packages/core/src/client/asking.ts",
  "packages/core/src/client/call.ts",
  "packages/core/src/client/codec.ts",
  "packages/core/src/client/discover.ts",
  "packages/core/src/client/gate.ts",
  "packages/core/src/client/listen.ts",
  "packages/core/src/client/notify.ts",
  "packages/core/src/client/opening.ts",
  "packages/core/src/client/outputs.ts",
  "packages/core/src/client/prior.ts",
  "packages/core/src/client/question.ts",
  "packages/core/src/client/receive.ts",
  "packages/core/src/client/reply.ts",
  "packages/core/src/client/request.ts",
  "packages/core/src/client/result-type.ts",
  "packages/core/src/client/rounds.ts",
  "packages/core/src/client/settle.ts",
  "packages/core/src/client/spoken.ts",
  "packages/core/src/client/step.ts",
  "packages/server/src/extension.ts",
  "packages/client/src/extending.ts"
]

/** The tests that may kill a mutant: those of the core, the properties over conversations, and what extensions are given beside the core. */
export const tests = [
  "packages/core/test/**/*.test.ts",
  "packages/testing/test/**/*.test.ts",
  "packages/server/test/*extension.test.ts",
  "packages/client/test/extending.test.ts"
]

/** Tests among those that have nothing to say about the core, or count what it reads, which is more in a mutant's source. */
export const others = [
  "packages/testing/test/channel-contract.test.ts",
  "packages/testing/test/assert-tools.test.ts",
  "packages/testing/test/growth.test.ts"
]

export const workers = 2
