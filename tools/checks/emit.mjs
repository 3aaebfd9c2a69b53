/** Writes each shape once, as a plain TypeScript function, under a name a reader can follow. */
import { keyOf, readable } from "./shape.mjs"

const header = "/** Plain checks generated from the schemas in `src/wire` by `pnpm generate`: change those instead. */"

/** `named` maps the key of a shape to the name it is published under; others are named after where they stand. */
export function emitter(named) {
  const names = new Map()
  const taken = new Set()
  const pieces = new Set()
  const bodies = []

  const nameOf = (shape, hint) => {
    if (shape.kind === "piece") return use(shape.piece)
    const key = keyOf(shape)
    if (!names.has(key)) {
      const name = unused(named.get(key) ?? hint ?? fallback(shape, nameOf))
      names.set(key, name)
      bodies.push(`export const ${name}: Check = (value) =>\n  ${body(shape, name)}\n`)
    }
    return names.get(key)
  }

  const use = (name) => {
    pieces.add(name)
    return name
  }

  const unused = (name) => {
    let free = name
    for (let n = 2; taken.has(free); n++) free = `${name}_${n}`
    taken.add(free)
    return free
  }

  const body = (shape, name) => {
    switch (shape.kind) {
      case "literals":
        return `${shape.values.map((v) => `value === ${JSON.stringify(v)}`).join(" || ")} ? undefined : ${use("problem")}("", ${quote(readable(shape.values))})`
      case "array":
        return `${use("each")}(value, ${nameOf(shape.item)})`
      case "map":
        return `${use("everyMember")}(value, ${nameOf(shape.item)})`
      case "struct":
        return `${use("isObject")}(value) ? ${shape.members.map((m) => member(m, name)).join(" ?? ")} : ${use("notObject")}`
      case "union":
        return unionBody(shape.types)
    }
  }

  const member = ({ key, shape, optional }, name) =>
    `${use(optional ? "optional" : "required")}(${JSON.stringify(key)}, value.${key}, ${nameOf(shape, hintFor(shape, name, key))})`

  const unionBody = (types) => {
    const arrays = types.filter((type) => type.kind === "array")
    if (arrays.length === 1) {
      const rest = types.filter((type) => type.kind !== "array")
      const other = rest.every((type) => type.kind === "piece") ? oneOf(rest, types) : alternatives(rest)
      return `Array.isArray(value) ? ${nameOf(arrays[0])}(value) : ${other}`
    }
    if (types.every((type) => type.kind === "piece")) return oneOf(types, types)
    const on = discriminator(types)
    if (on === undefined) return alternatives(types)
    const branches = on.groups.map(
      ({ values, types: group }) =>
        `${values.map((v) => `value.${on.key} === ${JSON.stringify(v)}`).join(" || ")} ? ${alternatives(group)} :`
    )
    const last = on.absent
      ? alternatives([on.absent])
      : `${use("problem")}("${on.key}", ${quote(readable(on.groups.flatMap((group) => group.values)))})`
    return `${use("isObject")}(value) ? ${branches.join(" ")} ${last} : ${use("notObject")}`
  }

  const oneOf = (tried, told) =>
    `${alternatives(tried)} && ${use("problem")}("", ${quote(told.map(textOf).join(" or "))})`

  // The last alternative's problem is the one that is told.
  const alternatives = (types) => types.map((type) => `${nameOf(type)}(value)`).join(" && ")

  return {
    add: (shape) => nameOf(shape),
    text: () =>
      [
        header,
        'import type { Check } from "../check.js"',
        `import { ${[...pieces].sort().join(", ")} } from "./pieces.js"`,
        "",
        bodies.join("\n")
      ].join("\n")
  }
}

/** The member whose literal tells alternatives apart; one alternative may leave it out. */
function discriminator(types) {
  if (!types.every((type) => type.kind === "struct")) return undefined
  for (const { key } of types[0].members) {
    const found = types.map((type) => type.members.find((m) => m.key === key))
    if (!found.every((m) => m?.shape.kind === "literals")) continue
    const absent = types.filter((_, index) => found[index].optional)
    if (absent.length > 1) continue
    const groups = new Map()
    types.forEach((type, index) => {
      if (found[index].optional) return
      const values = found[index].shape.values
      const group = groups.get(values.join()) ?? { values, types: [] }
      group.types.push(type)
      groups.set(values.join(), group)
    })
    if (groups.size + absent.length > 1) return { key, groups: [...groups.values()], absent: absent[0] }
  }
  return undefined
}

const hintFor = (shape, name, key) => (shape.kind === "struct" || shape.kind === "union" ? `${name}_${key}` : undefined)

function fallback(shape, nameOf) {
  switch (shape.kind) {
    case "literals":
      return shape.values.length === 1
        ? `is_${identifier(shape.values[0])}`
        : `one_of_${shape.values.map(identifier).join("_")}`
    case "array":
      return `list_of_${nameOf(shape.item)}`
    case "map":
      return `map_of_${nameOf(shape.item)}`
    case "union":
      return shape.types.map((type) => type.piece ?? type.kind).join("_or_")
    default:
      return "shape"
  }
}

const identifier = (value) => value.replaceAll(/\W/g, "_")

const textOf = (shape) => (shape.kind === "array" ? "an array" : shape.text)

const quote = (value) => JSON.stringify(value)
