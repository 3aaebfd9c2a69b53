import { assertProtocol, assertTools } from "@parley/testing"
import { test } from "vitest"
import { giftGenius } from "../src/server.js"

test("keeps the protocol", () => assertProtocol(giftGenius().server))
test("keeps it with completions too", () => assertProtocol(giftGenius({ completions: true }).server))
test("tools keep their word", () => assertTools(giftGenius().server))
