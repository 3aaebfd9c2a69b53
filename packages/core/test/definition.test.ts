/** Whether a capability is announced: every step is there, and the last says yes. */
import { expect, it } from "vitest"
import { announced } from "../src/definition.js"

it.each([
  [true, { tools: {} }, "tools"],
  [true, { tools: true }, "tools"],
  [true, { resources: { subscribe: true } }, "resources.subscribe"],
  [true, { tasks: { requests: { tools: { call: {} } } } }, "tasks.requests.tools.call"],
  [false, {}, "tools"],
  [false, { tools: false }, "tools"],
  [false, { tools: null }, "tools"],
  [false, { tools: [] }, "tools"],
  [false, { tools: "yes" }, "tools"],
  [false, { tools: 1 }, "tools"],
  [false, { resources: {} }, "resources.subscribe"],
  [false, { resources: { subscribe: false } }, "resources.subscribe"],
  [false, { resources: true }, "resources.subscribe"],
  [false, { resources: null }, "resources.subscribe"],
  [false, {}, "constructor"],
  [false, { tools: {} }, "tools.constructor"],
  [false, undefined, "tools"],
  [false, null, "tools"]
])("%j of %j and %s", (expected, capabilities, path) => expect(announced(capabilities, path)).toBe(expected))
