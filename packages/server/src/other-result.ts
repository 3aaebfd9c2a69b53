/** A result of another type than the complete one, which an extension brought. */
import type { JsonObject } from "@parley/core"

/** Made by `result` of an extension; whoever answers may return it. */
export class OtherResult {
  readonly json: JsonObject

  constructor(json: JsonObject) {
    this.json = json
  }
}
