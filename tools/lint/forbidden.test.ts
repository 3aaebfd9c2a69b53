/** The lint catches what the design forbids: each small wrong file is reported by its rule, each right one by none. */
import { execFileSync, spawnSync } from "node:child_process"
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"

const root = join(import.meta.dirname, "../..")
const core = "packages/core/src"

const wrong: ReadonlyArray<readonly [sentence: string, file: string, source: string, rule: string]> = [
  ["a clock in core", `${core}/server/clock.ts`, "export const now = () => Date.now()", "no-restricted-globals"],
  [
    "randomness in core",
    `${core}/client/dice.ts`,
    "export const roll = () => Math.random()",
    "no-restricted-properties"
  ],
  [
    "a locale in core",
    `${core}/order.ts`,
    "export const before = (a: string, b: string) => a.localeCompare(b) < 0",
    "no-restricted-properties"
  ],
  ["an async function in core", `${core}/server/wait.ts`, "export async function wait() {}", "no-async-await"],
  ["an async arrow in core", `${core}/wait.ts`, "export const wait = async () => {}", "no-async-await"],
  ["a promise in core", `${core}/later.ts`, "export const later = () => Promise.resolve(1)", "no-restricted-globals"],
  ["a Node module in core", `${core}/read.ts`, 'export { readFileSync } from "node:fs"', "no-restricted-imports"],
  ["another package in core", `${core}/up.ts`, 'export { drive } from "@parley/driver"', "no-restricted-imports"],
  [
    "effect/Schema in core outside wire",
    `${core}/server/schema.ts`,
    'export * from "effect/Schema"',
    "no-restricted-imports"
  ],
  [
    "another effect module in wire",
    `${core}/wire/effects.ts`,
    'export * from "effect/Effect"',
    "no-restricted-imports"
  ],
  ["the effect barrel in wire", `${core}/wire/barrel.ts`, 'export { Schema } from "effect"', "no-restricted-imports"],
  [
    "an object spread in the server machine",
    `${core}/server/spread.ts`,
    "export const f = (s: { a: number }) => ({ ...s, a: 2 })",
    "no-rest-spread-properties"
  ],
  [
    "an object spread in the client machine",
    `${core}/client/spread.ts`,
    "export const f = (s: { a: number }) => ({ ...s, a: 2 })",
    "no-rest-spread-properties"
  ],
  [
    "the effect barrel anywhere",
    "packages/server/src/barrel.ts",
    'export { Schema } from "effect"',
    "no-restricted-imports"
  ],
  [
    "Effect's own MCP modules",
    "packages/server/src/ai.ts",
    'export * from "effect/ai/McpServer"',
    "no-restricted-imports"
  ],
  [
    "a promise nobody waits for",
    "packages/driver/src/float.ts",
    "const f = async () => 1\nexport const g = () => {\n  f()\n}",
    "no-floating-promises"
  ],
  [
    "an async handler where none is awaited",
    "packages/driver/src/misused.ts",
    "export const g = (xs: number[]) => xs.forEach(async (x) => { await f(x) })\nconst f = async (x: number) => x",
    "no-misused-promises"
  ],
  ["any", "packages/driver/src/any.ts", "export const x: any = 1", "no-explicit-any"],
  [
    "a switch that forgets a tag",
    "packages/driver/src/switch.ts",
    'export const f = (x: "a" | "b") => {\n  switch (x) {\n    case "a":\n      return 1\n  }\n  return 2\n}',
    "switch-exhaustiveness-check"
  ]
]

const right: ReadonlyArray<readonly [sentence: string, file: string, source: string]> = [
  [
    "effect/Schema in wire",
    `${core}/wire/tools.ts`,
    'import * as Schema from "effect/Schema"\nexport const Name = Schema.String'
  ],
  ["a neighbour in core", `${core}/server/gate.ts`, 'export { f } from "./spread.js"\nexport * from "../order.js"'],
  [
    "an array spread in a machine",
    `${core}/client/list.ts`,
    "export const f = (xs: ReadonlyArray<number>) => [...xs, 1]"
  ],
  [
    "effect submodules outside core",
    "packages/server/src/effect.ts",
    'import * as Effect from "effect/Effect"\nexport const one = Effect.succeed(1)'
  ]
]

const folder = mkdtempSync(join(tmpdir(), "parley-lint-"))
const reports = new Map<string, ReadonlyArray<string>>()

beforeAll(() => {
  execFileSync("git", ["init", "-q"], { cwd: folder })
  copyFileSync(join(root, ".oxlintrc.json"), join(folder, ".oxlintrc.json"))
  write(
    "tsconfig.json",
    '{ "compilerOptions": { "strict": true, "module": "NodeNext", "target": "ES2022", "types": [] }, "include": ["packages"] }'
  )
  for (const [, file, source] of [...wrong, ...right]) write(file, `${source}\n`)
  const { stdout } = spawnSync(join(root, "node_modules/.bin/oxlint"), ["--type-aware", "-f", "json"], {
    cwd: folder,
    encoding: "utf8"
  })
  const { diagnostics } = JSON.parse(stdout) as {
    diagnostics: ReadonlyArray<{ filename: string; code: string }>
  }
  for (const { filename, code } of diagnostics) reports.set(filename, [...(reports.get(filename) ?? []), code])
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

test.each(wrong)("catches %s", (_, file, __, rule) => {
  expect(reports.get(file)).toContainEqual(expect.stringContaining(`(${rule})`))
})

test.each(right)("lets %s pass", (_, file) => {
  expect(reports.get(file)).toBeUndefined()
})

function write(file: string, text: string): void {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}
