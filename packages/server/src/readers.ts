/** Who may read a URI once its answers are there: loaded when a reading has asked. */
import type { Asks } from "./asks.js"
import type { Registry } from "./define.js"

/** All that they ask. */
export function readersAsk({ resources, templates }: Registry, uri: string): Asks {
  const fitting = templates.filter(({ uriTemplate }) => uriTemplate.match(uri) !== undefined)
  const all = [resources.get(uri), ...fitting].map((reader) => reader?.options.asks)
  return Object.assign({}, ...all) as Asks
}
