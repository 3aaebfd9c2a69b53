/** What is mutated and which tests must notice. A file named here that does not exist is an error. */

/** Every `v*.ts` here is a revision: its rows and features lose one column at a time. */
export const tables = "packages/core/src/revisions"

/** Every branch and refusal of these is negated or dropped. */
export const gates = [
  "packages/core/src/jsonrpc.ts",
  "packages/core/src/server/gate.ts",
  "packages/core/src/server/opening.ts",
  "packages/core/src/client/gate.ts",
  "packages/core/src/client/opening.ts"
]

/** The tests that may kill a mutant: those of the core, and the properties over conversations. */
export const tests = ["packages/core/test/**/*.test.ts", "packages/testing/test/**/*.test.ts"]

/** Tests among those that have nothing to say about the core. */
export const others = ["packages/testing/test/channel-contract.test.ts"]

export const workers = 2
