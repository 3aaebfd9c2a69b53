/** What a generated check answers: nothing when the value has the shape, else the first member that is wrong. */

/** `at` is a path such as `clientInfo.name` or `content[0].type`, empty for the value itself; `expected` is readable text. */
export interface Problem {
  readonly at: string
  readonly expected: string
}

/** Judges a value's shape without changing it. Unknown members are accepted: a peer may be newer than we are. */
export type Check = (value: unknown) => Problem | undefined

export const problem = (at: string, expected: string): Problem => ({ at, expected })

/** The same problem seen from one level up: `key` is a member name or an index. */
export const within = (key: string | number, inner: Problem): Problem => ({
  at:
    (typeof key === "number" ? `[${key}]` : key) + (inner.at === "" || inner.at.startsWith("[") ? "" : ".") + inner.at,
  expected: inner.expected
})
