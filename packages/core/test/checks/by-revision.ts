/** The checks of every schema as each revision has it, by name: the very ones that its rows have. */
import type { Check } from "../../src/check.js"
import { object } from "../../src/checks/pieces.js"
import { checksAt } from "../../src/checks/shape.js"
import type { Shape } from "../../src/checks/shape.js"
import * as shapes from "../../src/checks/shapes.js"
import type { RevisionName } from "../../src/revision.js"
import { revisions as all } from "../../src/revisions/index.js"
import { schemas } from "../../src/wire/index.js"

/** The two that are any object whatever are pieces, and not written as shapes. */
const named: { readonly [name: string]: Shape } = { ...shapes, Flag: object, Meta: object }

export const revisions = all.map(({ name }) => name)

export const checks = Object.fromEntries(
  all.map(({ name, place }) => {
    const is = checksAt(place)
    return [name, Object.fromEntries(Object.keys(schemas[name]).map((one) => [one, is(named[one]!)]))]
  })
) as Readonly<Record<RevisionName, Readonly<Record<string, Check>>>>
