/** What programs without types may declare wrongly is refused where it is declared, in words that help. */
import { v2025_11_25 } from "@parley/core/revisions"
import { link } from "@parley/driver"
import { describe, expect, it } from "vitest"
import * as server from "../src/index.js"
import { talking } from "./talk.js"

// oxlint-disable-next-line typescript/no-explicit-any -- a program without types
type Loose = (...args: ReadonlyArray<unknown>) => any
const { defineServer, live, prompt, resource, resourceTemplate, sample, serve, tool } = server as unknown as Record<
  "defineServer" | "live" | "prompt" | "resource" | "resourceTemplate" | "sample" | "serve" | "tool",
  Loose
>
const info = { name: "loose", version: "1.0.0" }
const nothing = () => ""
const define = (options: object, items: ReadonlyArray<unknown> = []) => defineServer(info, items, options)
const serving = (options: object) => serve(define({}), link()[0], options)

describe("an option that there is not", () => {
  it.each([
    [() => define({ pagesize: 3 }), "The server has an unknown option pagesize; there are declare, instructions, "],
    [() => define({ declare: { tool: {} } }), "The server has an unknown option declare.tool; there are logging, "],
    [
      () => define({ declare: { tools: { listchanged: true } } }),
      "The server has an unknown option declare.tools.listchanged; there are listChanged"
    ],
    [() => define({ declare: { tasks: { cancel: {} } } }), "declare.tasks.cancel; there are list"],
    [
      () => resource("a://b", { name: "b", mimetype: "text/plain" }, nothing),
      "The resource a://b has an unknown option mimetype; there are name, title, description, mimeType, size, "
    ],
    [
      () => resourceTemplate("a://{b}", { name: "b", size: 3 }, nothing),
      "The template a://{b} has an unknown option size; there are name, "
    ],
    [
      () => resourceTemplate("a://{b}", { name: "b", complete: { c: nothing } }, nothing),
      "The template a://{b} has an unknown option complete.c; there are b"
    ],
    [
      () => prompt("p", { argument: {} }, nothing),
      "The prompt p has an unknown option argument; there are title, description, arguments, asks, icons, _meta"
    ],
    [
      () => prompt("p", { arguments: { a: { require: true } } }, nothing),
      "The argument a of the prompt p has an unknown option require; there are title, description, required, complete"
    ],
    [
      () => prompt("p", { arguments: [{ name: "a" }] }, nothing),
      "The argument 0 of the prompt p has an unknown option"
    ],
    [() => tool("t", { toString: 1 }, nothing), "The tool t has an unknown option toString; there are description, "],
    [() => serving({ onNotfication: nothing }), "serve has an unknown option onNotfication; there are drainMs, "],
    [
      () => serving({ tasks: { ttl: 5 } }),
      "serve has an unknown option tasks.ttl; there are store, ttlMs, maxTtlMs, pollMs, most, pageSize, clock"
    ],
    [() => serving({ session: { kept: nothing } }), "serve has an unknown option session.kept; there are state, keep"],
    [() => sample({ tool: true }), "sample has an unknown option tool; there are tools"]
  ])("is refused, with those that there are: %s", (declare, message) => {
    expect(declare).toThrow(TypeError)
    expect(declare).toThrow(message)
  })
})

describe("a value that can not be meant", () => {
  it.each<readonly [() => unknown, string]>([
    [
      () => define({ declare: { tools: true } }),
      "The server needs an object for declare.tools, such as { listChanged: true }"
    ],
    [
      () => define({ declare: { resources: [] } }),
      "needs an object for declare.resources, such as { listChanged: true }"
    ],
    [() => define({ declare: { tools: { listChanged: 1 } } }), "needs true or false for declare.tools.listChanged"],
    [() => define({ declare: { logging: "info" } }), "The server needs true or false or {} for declare.logging"],
    [() => define({ declare: { experimental: 5 } }), "The server needs an object for declare.experimental"],
    [() => define({ declare: true }), "The server needs an object for declare, such as { logging: true }"],
    [() => define({ unsupported: "reject" }), 'The server needs "offer" or "refuse" for unsupported'],
    [() => define({ early: false }), 'The server needs "answer" or "refuse" for early'],
    ...[0, -1, 1.5, Number.NaN, Infinity, "5"].map(
      (pageSize) => [() => define({ pageSize }), "The server needs a whole number from 1 on for pageSize"] as const
    ),
    [() => serving({ maxInFlight: 0 }), "serve needs a whole number from 1 on for maxInFlight"],
    [() => serving({ drainMs: -1 }), "serve needs a whole number from 0 on for drainMs"],
    [() => serving({ askMs: "5" }), "serve needs a whole number from 0 on for askMs"],
    [() => serving({ tasks: { ttlMs: "5" } }), "serve needs a whole number from 0 on for tasks.ttlMs"],
    [() => serving({ session: { keep: 5 } }), "serve needs a function for session.keep"],
    [() => sample({ tools: "yes" }), "sample needs true or false for tools"],
    [() => define({ revisions: [] }), "revisions needs a list of at least one"],
    [() => define({ revisions: v2025_11_25 }), "revisions needs a list of at least one"],
    [() => define({ revisions: null }), "revisions needs a list of at least one"],
    [() => define({ revisions: "2025-11-25" }), "revisions needs a list of at least one"],
    [() => live([]), "live needs a server: live(defineServer("],
    [() => live(), "live needs a server"],
    [
      () => tool("t", { asks: { g: 5 } }, nothing),
      "The tool t asks for g, which is no question: make it by form, page, sample or roots"
    ],
    [() => prompt("p", { asks: { g: undefined } }, nothing), "The prompt p asks for g, which is no question"],
    [() => resource("a://b", { name: "b", asks: { g: {} } }, nothing), "asks for g, which is no question"],
    [() => tool("t", { asks: { "a#2": sample() } }, nothing), "the names of questions have no # in them"],
    [() => tool("t", { asks: { g: sample() }, requires: "g" }, nothing), "The tool t needs a list for requires"],
    [() => tool("t", { asks: {}, requires: ["toString"] }, nothing), "requires toString, which is not among"],
    [() => serving({ report: "stderr" }), "serve needs a function for report"],
    [() => tool("t", null, nothing), "The tool t needs an object for its options"],
    [() => resource("a://b", undefined, nothing), "The resource a://b needs an object for its options"],
    [() => resource("a://b", { name: "b" }), "The resource a://b needs a reader: resource(uri, options, read)"],
    [() => resourceTemplate("a://{b}", { name: "b" }), "The template a://{b} needs a reader"],
    [() => prompt("p", {}), "The prompt p needs a handler"],
    [
      () => resourceTemplate("a://{b}", { name: "b", complete: { b: ["x"] } }, nothing),
      "The template a://{b} needs a function for complete.b"
    ],
    [() => prompt("p", { arguments: { a: { required: "yes" } } }, nothing), "needs true or false for required"],
    [() => resource("a://b", {}, nothing), "The resource a://b can not be announced: name: expected a string"],
    [() => resourceTemplate("a://{b}", {}, nothing), "can not be announced: name: expected a string"],
    [() => resource("a://b", { name: "b", size: "5" }, nothing), "can not be announced: size: expected"],
    [() => prompt("p", { icons: "i.png" }, nothing), "The prompt p can not be announced: icons: expected an array"],
    [() => tool("t", { icons: [{ src: 5 }] }, nothing), "can not be announced: icons[0].src: expected a string"],
    [() => tool("t", { annotations: { readOnlyHint: "yes" } }, nothing), "annotations.readOnlyHint: expected"],
    [() => tool("t", { task: "yes" }, nothing), 'The tool t needs "optional" or "required" for task'],
    [() => defineServer({ ...info, icons: 5 }, []), "The server can not be announced: serverInfo.icons: expected"],
    [() => define({ instructions: 5 }), "The server can not be announced: instructions: expected a string"],
    [() => define({}, [5]), "items[0] is none: make it by tool, resource, resourceTemplate or prompt"],
    [() => define({}, [tool("t", {}, nothing), null]), "items[1] is none"],
    [() => define({}, [define({})]), "items[0] is none"]
  ])("is refused where it is declared: %s", (declare, message) => {
    expect(declare).toThrow(TypeError)
    expect(declare).toThrow(message)
  })
})

describe("what is meant", () => {
  it("may be spelled as the specification does, or left undefined", async () => {
    const declare = { logging: {}, completions: {}, tools: {}, resources: undefined, tasks: {} }
    const talk = await talking(define({ declare, pageSize: undefined, instructions: undefined }))
    expect(talk.heard[0].result.capabilities).toMatchObject({ logging: {}, completions: {}, tools: {} })
    expect(await talk.ask("logging/setLevel", { level: "error" })).toMatchObject({ result: {} })
    expect(define({ declare: { logging: false } }).definition.capabilities).toEqual({})
  })
})
