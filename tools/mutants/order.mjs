/** Which files of tests meet a mutant, and which of them first: who noticed the like before, and takes little time. */

/** What is known of the tests is what `profile` says; `log` has who noticed a mutant in earlier runs. */
export function ordering(profile, log) {
  const files = Object.entries(profile).map(([name, { ms, reached, loads }]) => ({
    name,
    ms,
    reached: new Set(reached),
    loads: new Set(loads)
  }))
  const noticed = new Map()
  const count = (key) => noticed.get(key) ?? 0
  return {
    /** Those that come by the mutant's place, or load its file where places are not marked. */
    testsFor(mutant) {
      const before = log.get(mutant.id)?.test
      const rank = ({ name, ms }) => {
        if (name === before) return Infinity
        const chance =
          1 + weights.reduce((sum, weight, at) => sum + weight * count(`${kindsOf(mutant)[at]} ${name}`), 0)
        return (chance + (beside(mutant, name) ? 10 : 0)) / (30 + ms)
      }
      const reaches = ({ reached, loads }) =>
        mutant.seen === undefined ? loads.has(mutant.name) : reached.has(mutant.number)
      const ranked = files.filter(reaches).map((file) => ({ name: file.name, rank: rank(file) }))
      return ranked.toSorted((a, b) => b.rank - a.rank).map(({ name }) => name)
    },
    noticed(mutant, test) {
      for (const kind of kindsOf(mutant)) noticed.set(`${kind} ${test}`, count(`${kind} ${test}`) + 1)
    }
  }
}

/** What a mutant has in common with others, nearest first, and how much it tells that a test noticed one of those. */
const kindsOf = ({ seen, name, at, what }) => (seen === undefined ? [`${at} ${what}`, what] : [`${name} ${at}`, name])
const weights = [20, 4]

const beside = ({ name }, test) => test.startsWith(name.replace("/src/", "/test/").replace(/ts$/, ""))
