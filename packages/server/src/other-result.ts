/** A result of another type than the complete one, which an extension brought. */
import type { JsonObject, Peer } from "@parley/core"

/** Made by `result` of an extension; whoever answers may return it. */
export class OtherResult {
  /** What it says to that client; throws `TypeError` where it has not the extension. */
  readonly to: (client: { readonly peer: Peer }) => JsonObject

  constructor(to: OtherResult["to"]) {
    this.to = to
  }
}
