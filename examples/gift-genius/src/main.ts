/** Serves gift-genius over standard streams. With `--completions` it also suggests gifts while their id is typed. */
import { serve } from "@parley/server"
import { stdio } from "@parley/stdio"
import { giftGenius } from "./server.js"

serve(giftGenius({ completions: process.argv.includes("--completions") }), stdio())
