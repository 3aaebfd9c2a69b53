/** As a fetch handler, without a socket. */
import { fetchHandler as handle } from "@parley/http/server"
import { benchServer } from "./server.mjs"

const kit = await import(new URL("lib/toolset.mjs", process.env.BENCH_ROOT).href)

export const fetchHandler = ({ tools }) => handle(benchServer(kit, tools), { allowedHosts: ["*"] })
