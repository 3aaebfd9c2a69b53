/** Serves gift-genius over standard streams. */
import { serve } from "@parley/server"
import { stdio } from "@parley/stdio"
import { giftGenius } from "./server.js"

serve(giftGenius, stdio())
