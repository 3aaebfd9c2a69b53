import { describe, expect, it } from "vitest"
import { environment } from "../src/environment.js"

const own = { PATH: "/bin", HOME: "/home/me", TOKEN: "secret", TERM: "() { echo; }" }

describe("environment", () => {
  it("passes on what is safe, where it is set, and no shell function", () => {
    expect(environment("safe", {}, own)).toEqual({ PATH: "/bin", HOME: "/home/me" })
  })

  it("passes on everything or nothing when told", () => {
    expect(environment("all", {}, own)).toMatchObject({ TOKEN: "secret" })
    expect(environment("none", {}, own)).toEqual({})
  })

  it("puts what is given on top, and takes away what is given as undefined", () => {
    expect(environment("safe", { PATH: "/opt", HOME: undefined, NEW: "1" }, own)).toEqual({
      PATH: "/opt",
      NEW: "1"
    })
  })
})
