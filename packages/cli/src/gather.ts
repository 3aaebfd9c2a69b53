/** A list of a server's, gathered page by page: as much of it as can be kept, for a server may go on for ever. */
import { CallError } from "@parley/client"

export interface Gathered<A> {
  readonly items: ReadonlyArray<A>
  /** Why there is more than that, in words; nothing for a list that is whole. */
  readonly cut: string | undefined
}

export interface Source<A> {
  readonly pages: () => AsyncIterable<ReadonlyArray<A>>
  /** How much text the server has sent of it until now. */
  readonly size: () => number
  /** How often the server has said until now that it changed. */
  readonly changes: () => number
}

const ITEMS = 10_000
const TEXT = 64 * 1024 * 1024

/** A list that changes meanwhile is gathered anew, at most three times. */
export async function gathered<A>(source: Source<A>): Promise<Gathered<A>> {
  for (let left = 3; ; left--) {
    const before = source.changes()
    try {
      const list = await once(source)
      const mixed = list.pages > 1 && source.changes() !== before
      if (!mixed || left === 0 || list.cut !== undefined) return list
    } catch (error) {
      if (left === 0 || !(error instanceof CallError) || error.reason._tag !== "CursorInvalid") throw error
    }
  }
}

async function once<A>({ pages, size }: Source<A>): Promise<Gathered<A> & { readonly pages: number }> {
  const items: Array<A> = []
  const begin = size()
  let count = 0
  const cutShort = (cut: string) => ({ items, cut, pages: count })
  try {
    for await (const page of pages()) {
      if (count++ > 0 && size() - begin > TEXT) return cutShort(`more than ${TEXT / 1024 / 1024} MiB`)
      const room = ITEMS - items.length
      for (const item of page.slice(0, room)) items.push(item)
      if (page.length > room) return cutShort(`more than ${ITEMS} items`)
    }
  } catch (error) {
    if (!(error instanceof CallError) || error.reason._tag !== "WalkTooLong") throw error
    const { ms, pages } = error.reason
    return cutShort(ms === undefined ? `no end within ${pages} pages` : `no end within ${ms} ms`)
  }
  return { items, cut: undefined, pages: count }
}
