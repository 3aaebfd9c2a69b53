/** Prints one plain last line, `N passed, N failed, N skipped`; what could not be loaded counts as failed. */
import type { Reporter, TestModule } from "vitest/node"

export default class PlainReporter implements Reporter {
  onTestRunEnd(modules: ReadonlyArray<TestModule>, unhandled: ReadonlyArray<unknown>): void {
    let passed = 0
    let failed = 0
    let skipped = 0
    for (const module of modules) {
      let own = 0
      for (const test of module.children.allTests()) {
        const { state } = test.result()
        if (state === "passed") passed++
        else if (state === "failed") own++
        else skipped++
      }
      failed += own > 0 || module.state() !== "failed" ? own : 1
    }
    if (failed === 0 && unhandled.length > 0) failed = unhandled.length
    process.on("exit", () => {
      console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`)
    })
  }
}
