/** What `channel.mjs` exports, for programs that are type-checked. */
import type { Channel } from "@parley/driver"

/** `room`: characters that may wait for the other side before `send` asks to wait. 65,536 by default. */
export function portChannel(port: MessagePort, options?: { readonly room?: number }): Channel
