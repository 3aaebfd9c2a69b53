/** A server with the small extension on standard streams, or without it, and a tool that finds the treasure: then what is dug for ends. */
import { defineServer, serve, tool } from "@parley/server"
import { diggers } from "../../../testing/test/parley-test.js"
import { stdio } from "../../src/stdio.js"

const { server, find } = diggers()
const discover = tool("find", {}, () => find())
const { WITHOUT } = process.env
const [items, options] =
  WITHOUT === undefined ? [server.items, server.options] : [[tool("dig", {}, () => "found it")], {}]
serve(defineServer(server.info, [...items, discover], options), stdio())
