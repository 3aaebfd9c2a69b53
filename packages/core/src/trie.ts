/** A persistent map from request ids to values: hashed, four bits a level, and small because only this project uses it. */
import type { RequestId } from "./jsonrpc.js"

export interface Trie<V> {
  readonly size: number
  readonly root: Node<V>
}

/** Nothing, one entry, entries whose hashes are equal, or sixteen ways on. */
type Node<V> = undefined | Leaf<V> | Branch<V>
type Leaf<V> = { readonly hash: number; readonly key: RequestId; readonly value: V; readonly next: Leaf<V> | undefined }
type Branch<V> = ReadonlyArray<Node<V>>

const none: Trie<never> = { size: 0, root: undefined }
const blank: Branch<never> = Array.from({ length: 16 }, () => undefined)

export const empty = <V>(): Trie<V> => none

/** The value at a key. `1` and `"1"` are two keys. `salt` must be the one the entries were set with. */
export function lookup<V>(trie: Trie<V>, key: RequestId, salt: number): V | undefined {
  return trie.root === undefined ? undefined : find(trie.root, key, hashOf(key, salt))?.value
}

export function insert<V>(trie: Trie<V>, key: RequestId, value: V, salt: number): Trie<V> {
  const leaf: Leaf<V> = { hash: hashOf(key, salt), key, value, next: undefined }
  const size = find(trie.root, key, leaf.hash) === undefined ? trie.size + 1 : trie.size
  return { size, root: put(trie.root, leaf, 0) }
}

export function remove<V>(trie: Trie<V>, key: RequestId, salt: number): Trie<V> {
  const hash = hashOf(key, salt)
  if (find(trie.root, key, hash) === undefined) return trie
  return { size: trie.size - 1, root: drop(trie.root, key, hash, 0) }
}

/** All values, in no order that means anything. */
export function values<V>(trie: Trie<V>): ReadonlyArray<V> {
  const found: Array<V> = []
  const walk = (node: Node<V>): void => {
    if (isBranch(node)) node.forEach(walk)
    else for (let leaf: Leaf<V> | undefined = node; leaf !== undefined; leaf = leaf.next) found.push(leaf.value)
  }
  walk(trie.root)
  return found
}

const isBranch = <V>(node: Node<V>): node is Branch<V> => Array.isArray(node)

function find<V>(root: Node<V>, key: RequestId, hash: number): Leaf<V> | undefined {
  let node = root
  for (let shift = 0; isBranch(node); shift += 4) node = node[(hash >>> shift) & 15]
  let leaf: Leaf<V> | undefined = node
  while (leaf !== undefined && leaf.key !== key) leaf = leaf.next
  return leaf
}

function put<V>(node: Node<V>, leaf: Leaf<V>, shift: number): Node<V> {
  if (node === undefined) return leaf
  if (isBranch(node)) {
    const slot = (leaf.hash >>> shift) & 15
    return withSlot(node, slot, put(node[slot], leaf, shift + 4))
  }
  if (node.hash === leaf.hash) return before(leaf, without(node, leaf.key))
  return put(withSlot<V>(blank, (node.hash >>> shift) & 15, node), leaf, shift)
}

function drop<V>(node: Node<V>, key: RequestId, hash: number, shift: number): Node<V> {
  if (!isBranch(node)) return without(node, key)
  const slot = (hash >>> shift) & 15
  const branch = withSlot(node, slot, drop(node[slot], key, hash, shift + 4))
  let only: Node<V>
  for (const child of branch) {
    if (child === undefined) continue
    if (only !== undefined || isBranch(child)) return branch
    only = child
  }
  return only
}

function withSlot<V>(branch: Branch<V>, slot: number, child: Node<V>): Branch<V> {
  const copy = branch.slice()
  copy[slot] = child
  return copy
}

function without<V>(leaf: Leaf<V> | undefined, key: RequestId): Leaf<V> | undefined {
  if (leaf === undefined) return undefined
  if (leaf.key === key) return leaf.next
  return before(leaf, without(leaf.next, key))
}

const before = <V>({ hash, key, value }: Leaf<V>, next: Leaf<V> | undefined): Leaf<V> => ({ hash, key, value, next })

/** Integers and strings to 32 bits. The salt keeps a peer from choosing ids that fall together. */
export function hashOf(key: RequestId, salt: number): number {
  if (typeof key === "number") return mix(Math.imul(key | 0, 0x85ebca6b) ^ Math.trunc(key / 0x100000000) ^ salt)
  let hash = salt ^ 0x9e3779b9
  for (let i = 0; i < key.length; i++) {
    hash = Math.imul(hash ^ key.charCodeAt(i), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  return mix(hash)
}

function mix(hash: number): number {
  const once = Math.imul(hash ^ (hash >>> 16), 0x7feb352d)
  const twice = Math.imul(once ^ (once >>> 15), 0x846ca68b)
  return twice ^ (twice >>> 16)
}
