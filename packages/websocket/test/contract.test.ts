import { describe, it } from "vitest"
import { channelContract } from "../../testing/src/channel-contract.js"
import { asDialled, onNode, onPlatform, retold } from "./pairs.js"

describe("two sides on ws keep the contract of channels", () => {
  for (const check of channelContract(onNode)) it(check.name, () => check.run())
})

describe("webSocket keeps the contract of channels", () => {
  for (const check of channelContract(() => asDialled({}))) it(check.name, () => check.run())
})

describe("webSocket that reconnects keeps the contract of channels, but that it hands up what it has parsed", () => {
  const made = async () => {
    const pair = await asDialled({ reconnect: true })
    return { ...pair, near: retold(pair.near) }
  }
  const texts = "sends the given text when there is one"
  for (const check of channelContract(made).filter(({ name }) => name !== texts)) it(check.name, () => check.run())
})

describe("a platform's own WebSocket keeps the contract of channels, but that it can not stop reading", () => {
  const bounded = "stops reading while a frame is being handled, and tells the sender to wait"
  for (const check of channelContract(onPlatform).filter(({ name }) => name !== bounded))
    it(check.name, () => check.run())
})
