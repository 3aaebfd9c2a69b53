/** The calls that have no file of their own ask what they ask elsewhere. */
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { describe, expect, it } from "vitest"
import { hand } from "../hand.js"
import { run, opened } from "./serving.js"

describe("the other calls", () => {
  it("ask what they ask elsewhere", () =>
    run(
      Effect.gen(function* () {
        const { channel, tell, heard } = hand({
          capabilities: { resources: {}, prompts: {}, completions: {}, logging: {}, tools: {} },
          answers: {
            "resources/list": () => ({ resources: [{ uri: "note://a", name: "a" }] }),
            "resources/templates/list": () => ({ resourceTemplates: [{ uriTemplate: "note://{id}", name: "n" }] }),
            "resources/read": ({ uri }: { readonly uri: string }) => ({ contents: [{ uri, text: "x" }] }),
            "prompts/list": () => ({ prompts: [{ name: "p" }] }),
            "prompts/get": () => ({ messages: [] }),
            "completion/complete": () => ({ completion: { values: ["abc"] } }),
            "logging/setLevel": () => ({})
          }
        })
        const client = yield* opened(channel)
        const names = <A extends { readonly name: string }, E>(list: Stream.Stream<A, E>) =>
          Stream.runCollect(Stream.map(list, ({ name }) => name))
        expect(yield* names(client.resources())).toEqual(["a"])
        expect(yield* names(client.resourceTemplates())).toEqual(["n"])
        expect(yield* names(client.prompts())).toEqual(["p"])
        expect(yield* client.listResources()).toHaveLength(1)
        expect(yield* client.listResourceTemplates()).toHaveLength(1)
        expect(yield* client.listPrompts()).toHaveLength(1)
        expect((yield* client.readResource("note://a")).contents).toEqual([{ uri: "note://a", text: "x" }])
        expect((yield* client.getPrompt("p", { code: "x" })).messages).toEqual([])
        expect((yield* client.complete({ prompt: "p" }, { name: "code", value: "a" })).values).toEqual(["abc"])
        yield* client.setLogLevel("error")
        expect(yield* client.request("resources/read", { uri: "note://b" })).toMatchObject({
          contents: [{ uri: "note://b" }]
        })
        const sent = (wanted: string) => heard.filter(({ method }) => method === wanted).map(({ params }) => params)
        expect(sent("prompts/get")).toEqual([{ name: "p", arguments: { code: "x" } }])
        expect(sent("logging/setLevel")).toEqual([{ level: "error" }])
        const visit = yield* Effect.forkChild(client.elicitationComplete("v"), { startImmediately: true })
        tell("notifications/elicitation/complete", { elicitationId: "v" })
        yield* client.ping()
        expect(visit.pollUnsafe()).toBeUndefined()
        yield* Fiber.interrupt(visit)
      })
    ))
})
