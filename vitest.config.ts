/** Vitest as the whole workspace uses it: sources instead of builds, and a plain closing line. */
import { join } from "node:path"
import { defaultServerConditions } from "vite"
import { defineConfig } from "vitest/config"
import projects from "./vitest.workspace.ts"

const conditions = ["@parley/source", ...defaultServerConditions]

export default defineConfig({
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  // The root tsconfig.json would send the compiler through every reference, built or not.
  tsconfig: join(import.meta.dirname, "tsconfig.base.json"),
  test: {
    projects,
    testTimeout: 30_000,
    setupFiles: [join(import.meta.dirname, "tools/seed.ts")],
    reporters: ["default", "./tools/plain-reporter.ts"],
    coverage: { provider: "v8", include: ["packages/*/src/**"], reporter: ["text-summary", "lcov"] }
  }
})
