/** What people call those they give to, and the few kinds the catalogue knows. */

export const kinds = [
  "partner",
  "parent",
  "grandparent",
  "child",
  "sibling",
  "relative",
  "friend",
  "colleague",
  "teacher",
  "neighbour"
] as const

export type Kind = (typeof kinds)[number]

/** The kind a relationship is of: `sister`, `my little brother` and `Brother-in-law` are siblings. Nothing when it is none we know. */
export function kindOf(relationship: string): Kind | undefined {
  const words = relationship
    .toLowerCase()
    .replaceAll("-", " ")
    .replace(/\bin law\b/, " ")
    .split(/\s+/)
    .filter((word) => word !== "")
  // My sister's friend is not a sister, and an ex is not a partner: what suits anyone is safer there.
  if (words.some((word) => /['’]s?$/.test(word) || word === "ex" || word === "of")) return undefined
  for (let from = 0; from < words.length; from++) {
    const kind = kindNamed.get(words.slice(from).join(" "))
    if (kind !== undefined) return kind
  }
  return undefined
}

const names: Readonly<Record<Kind, string>> = {
  partner: "spouse, wife, husband, girlfriend, boyfriend, fiancé, fiancée, fiance, fiancee, lover, sweetheart",
  parent:
    "mother, father, mum, mom, mummy, mommy, mam, dad, daddy, papa, stepmother, stepfather, stepmum, stepdad, parents",
  grandparent: "grandmother, grandfather, grandma, grandpa, granny, gran, grandad, granddad, nana, nan, grandparents",
  child: "kid, son, daughter, stepson, stepdaughter, grandchild, grandson, granddaughter, baby, toddler, children",
  sibling: "sister, brother, sis, bro, twin, stepsister, stepbrother, half sister, half brother, siblings",
  relative: "aunt, auntie, uncle, cousin, niece, nephew, godmother, godfather, godchild, godson, goddaughter, family",
  friend: "pal, mate, buddy, bestie, bff, schoolfriend, classmate, flatmate, roommate, housemate, friends",
  colleague:
    "coworker, co worker, workmate, boss, manager, employee, intern, assistant, client, customer, business partner, colleagues",
  teacher: "tutor, professor, coach, trainer, mentor, nanny, childminder, teachers",
  neighbour: "neighbor, host, hostess, landlord, landlady, neighbours, neighbors"
}

const kindNamed: ReadonlyMap<string, Kind> = new Map(
  kinds.flatMap((kind) => [kind, ...names[kind].split(", ")].map((name) => [name, kind] as const))
)
