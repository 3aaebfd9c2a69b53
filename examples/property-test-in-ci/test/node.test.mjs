/** The same with the test runner that comes with Node: `node --test`. */
import { test } from "node:test"
import { assertProtocol, assertTools } from "@parley/testing"
import { restaurant } from "../dist/server.js"

await test("keeps the protocol", () => assertProtocol(restaurant))
await test("tools keep their word", () => assertTools(restaurant))
