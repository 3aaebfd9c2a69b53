/** Our server on each of its platforms, for other people's clients. */
import type { Live, Server } from "@parley/server"
import { listen } from "../../src/node/index.js"
import type { HttpOptions } from "../../src/server/options.js"
import { fetchHandler } from "../../src/server/fetch.js"
import { webSite } from "../client/site.js"

export interface Standing {
  readonly url: URL
  readonly close: () => Promise<void>
}

export const platforms = {
  listen: async (server: Server | Live, options: HttpOptions = {}): Promise<Standing> => {
    const { url, close } = await listen(server, options)
    return { url: new URL(url), close }
  },
  fetchHandler: async (server: Server | Live, options: HttpOptions = {}): Promise<Standing> => {
    const handler = fetchHandler(server, options)
    const { url, close } = await webSite(handler)
    return {
      url: new URL(url),
      close: async () => {
        await handler.close()
        await close()
      }
    }
  }
}

export const places = Object.keys(platforms) as ReadonlyArray<keyof typeof platforms>
