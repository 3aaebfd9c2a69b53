/** What a revision lacks of a shape: what others have there, and it has not yet, or no longer. */
import { member } from "../json.js"
import type { Shape, Struct, Tagged } from "./shape.js"
import { heldAt, isSince } from "./shape.js"

export interface Lack {
  /** With a tag, kinds are gone and not members: they are told apart by the member of that name. */
  readonly tag: string | undefined
  readonly gone: ReadonlySet<unknown>
  /** What is lacking inside the members, or the kinds, that are there. */
  readonly inside: ReadonlyMap<unknown, Lack>
}

/** Nothing where nothing is lacking, however deep. A list lacks what its items do. */
export const lackAt = (place: number, shape: Shape | undefined): Lack | undefined => lackOf(place, [shape], [shape])

/** `here`: what stands there in that revision; `ever`: in any. */
function lackOf(place: number, here: Shapes, ever: Shapes): Lack | undefined {
  const objects = here.flatMap((shape) => objectsIn(shape, place))
  const [there, known] = [objects, ever.flatMap((shape) => objectsIn(shape))].map((all) => all.flatMap(membersOf))
  const gone = new Set<string>()
  const inside = new Map<string, Lack>()
  for (const [key] of known!) {
    const named = (members: Members) => members.filter(([name]) => name === key).map(([, member]) => member)
    const held = named(there!)
      .map((member) => heldAt(place, member))
      .filter((member) => member !== undefined)
    const lack = lackOf(place, held, named(known!))
    if (held.length === 0) gone.add(key)
    else if (lack !== undefined) inside.set(key, lack)
  }
  const tag = member(objects[0], "tag") as string | undefined
  return gone.size + inside.size > 0 ? { tag, gone, inside } : undefined
}

type Shapes = ReadonlyArray<Shape | undefined>
type Members = ReadonlyArray<readonly [string, Shape]>

/** The objects that a value may be, in a list or not, without a place those of every revision; none where a sender may add what it likes. */
function objectsIn(shape: Shape | undefined, place?: number): ReadonlyArray<Struct | Tagged> {
  if (typeof shape !== "object") return []
  const all = (shapes: ReadonlyArray<unknown>) => shapes.flatMap((one) => objectsIn(one as Shape, place))
  if (isSince(shape)) return all(place === undefined ? shape : [heldAt(place, shape)])
  if ("each" in shape) return objectsIn(shape.each, place)
  if ("any" in shape) return all(shape.any)
  if ("other" in shape) return all([...Object.values(shape.of), shape.other])
  return "tag" in shape || (("must" in shape || "may" in shape) && shape.open !== true) ? [shape] : []
}

const membersOf = (one: Struct | Tagged): Members =>
  "tag" in one ? Object.entries(one.of) : [...Object.entries(one.must ?? {}), ...Object.entries(one.may ?? {})]
