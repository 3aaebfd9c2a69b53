/** All that a CI needs: the protocol is kept in every conversation, and the tools keep their word. */
import { assertProtocol, assertTools } from "@parley/testing"
import { test } from "vitest"
import { restaurant } from "../src/server.js"

test("keeps the protocol", () => assertProtocol(restaurant))
test("tools keep their word", () => assertTools(restaurant))
