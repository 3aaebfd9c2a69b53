/** When what is kept has had its time, the soonest first: finding what is due costs nothing where nothing is. */
interface Expiry {
  readonly at: number
  readonly id: string
}

export class Expiries {
  /** Each is due no sooner than the one at half its place. */
  readonly #heap: Array<Expiry> = []

  add(id: string, at: number): void {
    const heap = this.#heap
    let place = heap.push({ id, at }) - 1
    while (place > 0) {
      const above = (place - 1) >> 1
      if (heap[above]!.at <= at) return
      this.#swap(place, above)
      place = above
    }
  }

  /** Those that are due, which it then forgets. */
  due(now: number): ReadonlyArray<string> {
    const found: Array<string> = []
    while (this.#heap.length > 0 && this.#heap[0]!.at <= now) found.push(this.#first())
    return found
  }

  #first(): string {
    const heap = this.#heap
    this.#swap(0, heap.length - 1)
    const { id } = heap.pop()!
    for (let place = 0; ;) {
      let least = 2 * place + 1
      if (least >= heap.length) return id
      if (least + 1 < heap.length && heap[least + 1]!.at < heap[least]!.at) least++
      if (heap[place]!.at <= heap[least]!.at) return id
      this.#swap(place, least)
      place = least
    }
  }

  #swap(a: number, b: number): void {
    const heap = this.#heap
    const moved = heap[a]!
    heap[a] = heap[b]!
    heap[b] = moved
  }
}
