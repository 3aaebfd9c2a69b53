/** What is mutated and which tests must notice. A file named here that does not exist is an error. */

/** Every `v*.ts` here is a revision: its rows and features lose one column at a time. */
export const tables = "packages/core/src/revisions"

/** What may be said of a feature. */
export const features = "packages/core/src/revision.ts"

/** Every branch and refusal is negated or dropped in each file of this folder that has one. */
export const gates = "packages/core/src"

/** And in these beside it. */
export const further = ["packages/server/src/extension.ts", "packages/client/src/extending.ts"]

/** The tests that may kill a mutant: those of the core, the properties over conversations, and what extensions are given beside the core. */
export const tests = [
  "packages/core/test/**/*.test.ts",
  "packages/testing/test/**/*.test.ts",
  "packages/server/test/*extension.test.ts",
  "packages/client/test/extending*.test.ts"
]

/** Tests among those that have nothing to say about the core, or count what it reads, which is more in a mutant's source. */
export const others = [
  "packages/testing/test/channel-contract.test.ts",
  "packages/testing/test/assert-tools.test.ts",
  "packages/testing/test/growth.test.ts"
]

export const workers = 2
