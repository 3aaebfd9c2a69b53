/** Leads a URI through a graph: the first way that fits, where no node sees a place twice, so that no URI takes long. */

export type Node =
  /** One of these spellings. */
  | { readonly _tag: "Text"; readonly texts: ReadonlyArray<string>; readonly next: number }
  /** One character of a value, as it is or with percent signs; not `but`. A `list` also has commas. */
  | {
      readonly _tag: "Unit"
      readonly reserved: boolean
      readonly but: string
      readonly list: boolean
      readonly next: number
    }
  | { readonly _tag: "Fork"; readonly first: number; readonly second: number }
  | { readonly _tag: "Save"; readonly slot: number; readonly next: number }
  | { readonly _tag: "End" }

export interface Program {
  readonly nodes: ReadonlyArray<Node>
  readonly start: number
}

/** The groups' texts, or nothing when the URI as a whole does not fit. */
export function matching(
  { nodes, start }: Program,
  uri: string,
  groups: number
): ReadonlyArray<string | undefined> | undefined {
  const places = uri.length + 1
  const seen = new Uint8Array((nodes.length * places + 7) >> 3)
  const slots = Array.from<number>({ length: 2 * groups }).fill(-1)
  // Where to go on when a way ends nowhere: a node and a place, or what a slot was before.
  const back: Array<readonly [node: number, at: number] | readonly [slot: number, at: number, undo: true]> = [
    [start, 0]
  ]
  for (let next = back.pop(); next !== undefined; next = back.pop()) {
    if (next.length === 3) {
      slots[next[0]] = next[1]
      continue
    }
    let [node, at] = next
    for (;;) {
      const bit = node * places + at
      if ((seen[bit >> 3]! & (1 << (bit & 7))) !== 0) break
      seen[bit >> 3]! |= 1 << (bit & 7)
      const one: Node = nodes[node]!
      if (one._tag === "End") {
        if (at === uri.length) return cut(uri, slots)
        break
      }
      if (one._tag === "Fork") {
        back.push([one.second, at])
        node = one.first
        continue
      }
      if (one._tag === "Save") {
        back.push([one.slot, slots[one.slot]!, true])
        slots[one.slot] = at
      } else {
        const length = one._tag === "Text" ? spelledAt(one.texts, uri, at) : unitAt(one, uri, at)
        if (length === 0) break
        at += length
      }
      node = one.next
    }
  }
  return undefined
}

function cut(uri: string, slots: ReadonlyArray<number>): ReadonlyArray<string | undefined> {
  const groups: Array<string | undefined> = []
  for (let i = 0; i < slots.length; i += 2)
    groups.push(slots[i]! < 0 || slots[i + 1]! < 0 ? undefined : uri.slice(slots[i], slots[i + 1]))
  return groups
}

function spelledAt(texts: ReadonlyArray<string>, uri: string, at: number): number {
  for (const text of texts) if (uri.startsWith(text, at)) return text.length
  return 0
}

const unreserved = /[\w\-.~]/
const reserved = /[:/?#[\]@!$&'()*+,;=]/

/** The length of the character that is written there; 0 when it is none of a value. What is not ASCII may stand for itself. */
function unitAt(unit: Extract<Node, { readonly _tag: "Unit" }>, uri: string, at: number): number {
  const char = uri[at]
  if (char === undefined || char === unit.but) return 0
  if (char === "%") return encodedAt(uri, at)
  if (char > "\u007f") return String.fromCodePoint(uri.codePointAt(at)!).length
  if (unreserved.test(char) || (unit.list && char === ",")) return 1
  return unit.reserved && reserved.test(char) ? 1 : 0
}

/** RFC 3986 2.1 with UTF-8: one character may take up to four of them. */
function encodedAt(uri: string, at: number): number {
  const lead = octet(uri, at)
  if (lead === undefined || (lead >= 0x80 && lead < 0xc0)) return 0
  const count = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  for (let i = 1; i < count; i++) {
    const follows = octet(uri, at + 3 * i)
    if (follows === undefined || follows < 0x80 || follows >= 0xc0) return 0
  }
  return 3 * count
}

function octet(uri: string, at: number): number | undefined {
  const hex = uri.slice(at + 1, at + 3)
  return uri[at] === "%" && /^[\da-f]{2}$/i.test(hex) ? Number.parseInt(hex, 16) : undefined
}
