import { describe, it } from "vitest"
import { channelContract } from "../../testing/src/channel-contract.js"
import { joinedByCat, joinedByCommand } from "./pairs.js"

describe("stdio over pipes of two processes keeps the contract of channels", () => {
  for (const check of channelContract(joinedByCat)) it(check.name, () => check.run())
})

describe("command and stdio, with a process between them, keep the contract of channels", () => {
  for (const check of channelContract(joinedByCommand)) it(check.name, () => check.run())
})
