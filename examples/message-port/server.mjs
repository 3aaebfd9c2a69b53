/** A server in a worker thread: it serves whoever has the other end of a port that it is sent. */
import { parentPort } from "node:worker_threads"
import { defineServer, serve, tool } from "@parley/server"
import { portChannel } from "./channel.mjs"

const input = { type: "object", properties: { below: { type: "integer", maximum: 5_000_000 } }, required: ["below"] }
const primes = tool("primes", { description: "Counts primes, off the main thread", input }, ({ below }) => {
  const composite = new Uint8Array(Math.max(below, 0))
  let count = 0
  for (let n = 2; n < below; n++) {
    if (composite[n]) continue
    count++
    for (let m = n * n; m < below; m += n) composite[m] = 1
  }
  return `${count} primes below ${below}`
})
const sieve = defineServer({ name: "sieve", version: "1.0.0" }, [primes])

parentPort.on("message", (port) => serve(sieve, portChannel(port)))
