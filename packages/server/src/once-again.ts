/** What is done once by who asks nothing: loaded when there is something, since most handlers are run but once. */
import type { JsonObject } from "@parley/core"
import type { Invoke } from "@parley/core/server"
import { Once } from "./once.js"

export const onceOf = ({ once }: Invoke): Once => new Once(once?.["done"] as JsonObject | undefined, () => undefined)
