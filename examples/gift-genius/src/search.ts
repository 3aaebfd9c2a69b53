/** The search: what fits a recipient, the best of it first, and no two lists differ for the same question. */
import type { Gift } from "./catalogue.js"
import type { Kind } from "./relationship.js"
import { kindOf } from "./relationship.js"

export interface Profile {
  readonly age: number
  readonly relationship: string
  /** In euros. */
  readonly budget?: number
}

/** A kind of relationship, or `anyone` where it was not understood. */
export type Recipient = Kind | "anyone"

export interface Suggestions {
  /** How the relationship was understood. */
  readonly recipient: Recipient
  /** The best few of what fits, the best first. */
  readonly gifts: ReadonlyArray<Suggestion>
  /** How many gifts fit in all. */
  readonly matches: number
  /** What the reader should know: a relationship that was not understood, or why nothing fits. */
  readonly note?: string
}

export interface Suggestion {
  readonly id: string
  readonly name: string
  readonly description: string
  readonly price: number
  readonly category: string
  readonly why: string
}

export function suggest(catalogue: ReadonlyArray<Gift>, profile: Profile): Suggestions {
  const { relationship, budget = Infinity } = profile
  const recipient: Recipient = kindOf(relationship) ?? "anyone"
  const suitable = catalogue.filter((gift) => suits(gift, profile.age, recipient))
  const affordable = suitable.filter(({ price }) => price <= budget)
  const gifts = varied(affordable, profile, recipient).map(({ id, name, description, price, category, ...gift }) => ({
    id,
    name,
    description,
    price,
    category,
    why: why(gift, price, budget, recipient)
  }))
  const notes = [...notUnderstood(relationship, recipient), ...nothing(suitable, affordable, profile)]
  const found = { recipient, gifts, matches: affordable.length }
  return notes.length === 0 ? found : { ...found, note: notes.join(" ") }
}

const suits = ({ ages: [from, to], relationships }: Gift, age: number, recipient: Recipient): boolean =>
  from <= age && age <= to && relationships.some((one) => one === "anyone" || one === recipient)

/** The best first; each further gift of a category weighs less, so that the list offers a choice. */
function varied(gifts: ReadonlyArray<Gift>, profile: Profile, recipient: Recipient): ReadonlyArray<Gift> {
  const left = new Map(gifts.map((gift) => [gift, score(gift, profile, recipient)]))
  const chosen: Array<Gift> = []
  while (chosen.length < few && left.size > 0) {
    const [best] = [...left].reduce((a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0].id < a[0].id) ? b : a))
    left.delete(best)
    chosen.push(best)
    for (const [gift, points] of left) if (gift.category === best.category) left.set(gift, points - sameCategory)
  }
  return chosen
}

/** A gift meant for few ages and few people says more about its recipient, and one near the budget wastes none of it. */
function score(
  { ages: [from, to], relationships, price }: Gift,
  { age, budget }: Profile,
  recipient: Recipient
): number {
  const half = (to - from) / 2
  const central = half === 0 ? 1 : 1 - Math.abs(age - (from + half)) / half
  const meant = recipient !== "anyone" && !relationships.includes("anyone") ? 2 + 2 / relationships.length : 0
  const ofAge = 1.5 / (1 + half / 15) + 0.5 * central
  const spent = budget === undefined || budget === 0 ? 0 : Math.min(1, price / (comfortable * budget))
  return meant + ofAge + 1.5 * spent
}

function why(
  { ages: [from, to], relationships, tags }: Pick<Gift, "ages" | "relationships" | "tags">,
  price: number,
  budget: number,
  recipient: Recipient
): string {
  const whom = recipient === "anyone" || relationships.includes("anyone") ? "suits anyone" : `suits a ${recipient}`
  const left = Number.isFinite(budget) && budget > price ? [`leaves ${euros(budget - price)} of the budget`] : []
  return [`${whom} from ${from} to ${to}`, tags.join(", "), ...left].join("; ")
}

const notUnderstood = (relationship: string, recipient: Recipient): ReadonlyArray<string> =>
  recipient === "anyone"
    ? [
        `The relationship ${JSON.stringify(relationship)} is not one we know, so only gifts that suit anyone were searched.`
      ]
    : []

function nothing(
  suitable: ReadonlyArray<Gift>,
  affordable: ReadonlyArray<Gift>,
  { age, budget }: Profile
): ReadonlyArray<string> {
  if (affordable.length > 0) return []
  if (suitable.length === 0) return [`The catalogue has nothing for the age of ${age}.`]
  const cheapest = Math.min(...suitable.map(({ price }) => price))
  return [`Nothing that suits costs ${euros(budget ?? 0)} or less; the cheapest that does costs ${euros(cheapest)}.`]
}

const euros = (amount: number): string => `${amount.toFixed(2)} euros`

/** How many gifts are suggested. */
const few = 5

/** What a gift loses for each one of its category that was chosen before it. */
const sameCategory = 1

/** Beyond this part of the budget a higher price is no better. */
const comfortable = 0.8
