/** The source of a file of mutants which tells by which of them a test comes. */

/** How many mutants can be told apart. */
export const most = 65_536

/**
 * Where a mutant stands, `globalThis.parleyReached` gets a 1 at its `number` when the program comes by. What is marked does as
 * it did before.
 */
export function marked(source, mutants) {
  const places = new Map()
  for (const { seen, number } of mutants) {
    const key = `${seen.start} ${seen.end}`
    places.set(key, { ...seen, numbers: [...(places.get(key)?.numbers ?? []), number] })
  }
  const insertions = [...places.values()].flatMap(({ start, end, numbers }) => {
    const mark = numbers.map((number) => `globalThis.parleyReached[${number}] = 1`).join(", ")
    // A statement has a statement before it; an expression is the second of two in brackets, the wider ones outside.
    if (start === end) return [{ at: start, text: `${mark};`, order: -Infinity }]
    return [
      { at: start, text: `(${mark}, `, order: start - end },
      { at: end, text: ")", order: end - start - Number.MAX_SAFE_INTEGER }
    ]
  })
  let text = ""
  let from = 0
  for (const { at, text: inserted } of insertions.toSorted((a, b) => a.at - b.at || a.order - b.order)) {
    text += source.slice(from, at) + inserted
    from = at
  }
  return text + source.slice(from)
}
