/** The tables that the docs are made of print an extension's rows as they print any other. */
import { extended } from "@parley/core"
import { v2026_07_28 } from "@parley/core/revisions"
import { expect, test } from "vitest"
import { parleyTest } from "../../packages/testing/test/parley-test.ts"
import { linesOf } from "./methods.ts"

const lines = linesOf([extended(v2026_07_28, [parleyTest])])
const of = (method: string) => lines.find((line) => line.method === method)

test("its methods say what they mirror, its notifications which filter asks for them", () => {
  expect(of("jobs/get")).toMatchObject({ from: "client", kind: "request", notes: "`jobId` is mirrored in a header" })
  expect(of("notifications/jobs/changed")).toMatchObject({ from: "server", notes: "on a stream that asked for `jobs`" })
})

test("its types of result stand beside the others of their method", () => {
  expect(of("tools/call")?.notes).toContain("may be answered `input_required`; may be answered `job`")
})
