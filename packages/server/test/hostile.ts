/** Values that are no JSON, each in its own way, and things to throw that can not be looked at. */

const no = (): never => {
  throw new Error("no")
}

const circle: { self?: unknown } = {}
circle.self = circle

let deep: unknown = []
for (let depth = 0; depth < 100_000; depth++) deep = [deep]

const traps: ReadonlyArray<keyof ProxyHandler<object>> = ["get", "has", "ownKeys", "getPrototypeOf"]

/** Each trap throws something else that can not be looked at. */
const proxies = traps.map((trap) => [`a proxy whose ${trap} throws`, new Proxy({}, { [trap]: no })] as const)

/** As a member of a result, each keeps it from being written. */
export const noJson: ReadonlyArray<readonly [string, unknown]> = [
  ["a bigint", 1n],
  ["a circle", circle],
  ["something a hundred thousand deep", deep],
  ["a toJSON that throws", { toJSON: no }],
  ["a getter that throws", Object.defineProperty({}, "it", { get: no, enumerable: true })],
  ["a proxy whose get throws", proxies[0]![1]],
  ["a proxy whose ownKeys throws", proxies[2]![1]]
]

/** Errors and others whose members, looks or kind can not be had. */
export const thrown: ReadonlyArray<readonly [string, unknown]> = [
  ...proxies,
  ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: no })],
  ["an error whose stack throws", Object.defineProperty(new Error("x"), "stack", { get: no })],
  ["something that throws when it is shown", { [Symbol.for("nodejs.util.inspect.custom")]: no }],
  [
    "something that throws what can not be looked at when it is shown",
    {
      [Symbol.for("nodejs.util.inspect.custom")]: () => {
        throw new Proxy(new Error("x"), { get: no, getPrototypeOf: no })
      }
    }
  ],
  ["a symbol", Symbol("x")],
  ["an object without a prototype", Object.create(null)]
]
