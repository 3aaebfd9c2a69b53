import { PassThrough } from "node:stream"
import { describe, expect, it } from "vitest"
import { guard } from "../src/guard.js"

const text = (stream: PassThrough): string => String(stream.read() ?? "")

describe("guard", () => {
  it("sends what is written elsewhere, except through its own write, until it is lifted", () => {
    const [stream, instead] = [new PassThrough(), new PassThrough()]
    const guarded = guard(stream, instead)
    stream.write("stray ")
    stream.write(Buffer.from("bytes"), () => {})
    guarded.write.call(stream, "protocol", "utf8")
    guarded.lift()
    stream.write(" again")
    expect(text(stream)).toBe("protocol again")
    expect(text(instead)).toBe("stray bytes")
    expect(Object.hasOwn(stream, "write")).toBe(false)
  })

  it("leaves a write that somebody else put there meanwhile", () => {
    const [stream, instead] = [new PassThrough(), new PassThrough()]
    const guarded = guard(stream, instead)
    const theirs = stream.write.bind(stream)
    stream.write = theirs
    guarded.lift()
    expect(Object.getOwnPropertyDescriptor(stream, "write")?.value).toBe(theirs)
  })
})
