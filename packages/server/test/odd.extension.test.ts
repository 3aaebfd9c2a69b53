/** Odd names and odd errors of extensions: each method has its own handler, and what is not there is not said. */
import type { Extension } from "@parley/core"
import { request } from "@parley/core"
import type { StandardSchemaWithJson } from "@parley/json-schema"
import { check } from "@parley/json-schema"
import { expect, it } from "vitest"
import { defineServer, extension, refused } from "../src/index.js"
import { modern } from "./modern.js"

const info = { name: "odd", version: "1.0.0" }
const anything = () => undefined

it("a method named as what every object has is the one that was declared", async () => {
  const names = ["toString", "constructor", "hasOwnProperty", "it/do"]
  const wires = names.map(
    (name, at) =>
      ({ id: `com.example/${at}`, client: { [name]: request("client", anything, anything) } }) satisfies Extension
  )
  const extensions = wires.map((wire, at) => extension(wire, { [names[at]!]: () => ({ said: names[at]! }) }))
  const capabilities = { extensions: Object.fromEntries(wires.map(({ id }) => [id, {}])) }
  const { ask } = modern(defineServer(info, [], { extensions }), { capabilities })
  for (const name of names) expect((await ask(name)).result).toMatchObject({ said: name })
})

it("params that take their time to be wrong as a whole are told without a place", async () => {
  const never: StandardSchemaWithJson<object, object> = {
    "~standard": {
      version: 1,
      vendor: "hand",
      validate: async () => ({
        issues: [{ message: "must be something else" }, { message: "or longer", path: ["n"] }]
      }),
      jsonSchema: { input: () => ({ type: "object" }), output: () => ({ type: "object" }) }
    }
  }
  const wire = { id: "com.example/it", client: { "it/do": request("client", check(never), anything) } }
  const served = extension(wire, { "it/do": () => ({}) })
  const { ask } = modern(defineServer(info, [], { extensions: [served] }), {
    capabilities: { extensions: { "com.example/it": {} } }
  })
  expect((await ask("it/do", {})).error).toEqual({
    code: -32602,
    message: "Invalid params for it/do: must be something else; n: or longer"
  })
})

it("an error without data has no data", () => {
  expect(refused("no").tell()).toStrictEqual({ failure: { _tag: "Chosen", code: -32602, message: "no" } })
  expect(refused("no", 7, { a: 1 }).tell()).toStrictEqual({
    failure: { _tag: "Chosen", code: 7, message: "no", data: { a: 1 } }
  })
})
