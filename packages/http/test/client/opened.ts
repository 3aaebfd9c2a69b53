/** A channel that is open, and everything that it handed up. */
import type { Channel, Closed, Frame, Outgoing } from "@parley/driver"
import { vi, expect } from "vitest"
import type { HttpClientOptions } from "../../src/client/index.js"
import { http } from "../../src/client/index.js"
import type { Answer, Asked } from "./scripted.js"
import { scripted } from "./scripted.js"

export interface Opened {
  readonly channel: Channel
  readonly frames: Array<Frame>
  readonly closed: Array<Closed>
  readonly asked: ReadonlyArray<Asked>
  /** Resolves with the frames when there are so many. */
  readonly came: (count: number) => Promise<ReadonlyArray<Frame>>
  /** A request of the handshake revisions, or of 2026-07-28. */
  readonly call: (id: number, method?: string, revision?: string) => void
  readonly stand: (id: number, method?: string) => void
  readonly tell: (method: string) => void | Promise<void>
}

export const url = "http://mcp.test/mcp"

export function opened(
  answer: Answer,
  options: HttpClientOptions = {},
  handled?: (frame: Frame) => void | Promise<void>
): Opened {
  const { fetch, asked } = scripted(answer)
  const channel = http(url, { fetch, ...options })
  const frames: Array<Frame> = []
  const closed: Array<Closed> = []
  channel.open({
    frame: (frame) => {
      frames.push(frame)
      return handled?.(frame)
    },
    closed: (why) => closed.push(why)
  })
  const send = (message: object, more: Partial<Outgoing> = {}): void | Promise<void> =>
    channel.send({ message: message as Outgoing["message"] & object, via: undefined, last: false, ...more })
  return {
    channel,
    frames,
    closed,
    asked,
    came: async (count) => {
      await vi.waitFor(() => expect(frames.length).toBeGreaterThanOrEqual(count), { interval: 1 })
      return frames
    },
    call: (id, method = "tools/list", revision = "2025-11-25") =>
      void send({ jsonrpc: "2.0", id, method }, method === "initialize" ? {} : { revision }),
    stand: (id, method = "tools/list") =>
      void send({ jsonrpc: "2.0", id, method }, { revision: "2026-07-28", mirror: [["Mcp-Method", method]] }),
    tell: (method) => send({ jsonrpc: "2.0", method }, { revision: "2025-11-25" })
  }
}
