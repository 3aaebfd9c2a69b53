/** The benchmark's server as a user would write it: public API, default options. */
import { defineServer, tool } from "@parley/server"

/** `kit` is the harness's own list of what every entry exposes. */
export const benchServer = (kit, tools) =>
  defineServer(kit.SERVER, [
    tool("add", { description: "Adds two numbers", input: kit.SCHEMAS.add }, ({ a, b }) => String(a + b)),
    tool("echo", { description: "Echoes a message", input: kit.SCHEMAS.echo }, ({ message }) => message),
    tool("gate", { description: "Answers when released", input: kit.SCHEMAS.gate }, () =>
      kit.gate().then(() => "open")
    ),
    ...kit
      .dummies(tools)
      .map(({ name, description }) => tool(name, { description, input: kit.SCHEMAS.dummy }, () => "ok"))
  ])
