/** The server as a value: tools, resources and a prompt over one catalogue, which may grow while it serves. */
import type { Announcing, Item, Live } from "@parley/server"
import { defineServer, live } from "@parley/server"
import { addGift } from "./add-gift.js"
import { categories, completeId, gift } from "./browse.js"
import type { Gift } from "./catalogue.js"
import { catalogue } from "./catalogue.js"
import { describeGift } from "./describe-gift.js"
import { shelf } from "./shelf.js"
import { suggestGifts } from "./suggest-gifts.js"

export interface GiftGeniusOptions {
  readonly gifts?: ReadonlyArray<Gift>
  /** Suggests gifts while their id is typed, and announces that it does. Without it neither happens. Default false. */
  readonly completions?: boolean
}

export function giftGenius({ gifts = catalogue, completions = false }: GiftGeniusOptions = {}): Live<typeof declare> {
  const stock = shelf(gifts)
  const complete = completions ? completeId(stock) : undefined
  // Made once: prompts are announced without listChanged, so what is told of them stays.
  const describe = describeGift(stock, complete)
  const items = (): ReadonlyArray<Item> => [
    suggestGifts(stock),
    addGift(stock, () => server.set(items())),
    ...categories(stock),
    gift(stock, complete),
    describe
  ]
  const server: Live<typeof declare> = live(
    defineServer({ name: "gift-genius-backend", version: "0.2.0" }, items(), { declare, pageSize: 8 })
  )
  return server
}

/** Prompts follow from there being one. */
const declare = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  logging: true
} as const satisfies Announcing
