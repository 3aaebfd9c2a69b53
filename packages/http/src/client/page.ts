/** What is otherwise in a browser: how many connections there are, and how little a page is told. */

/** Browsers call themselves so, in pages and in workers; what else runs JavaScript does not. */
function isBrowser(): boolean {
  const { navigator } = globalThis as { readonly navigator?: { readonly userAgent?: string } }
  return navigator?.userAgent?.startsWith("Mozilla/") === true
}

/**
 * Requests of a session that may be under way at once. A browser has six connections to a server without HTTP/2, which it speaks
 * by https only. The server's own stream takes one, and an answer to the server needs one, or nothing would ever go on.
 */
export const callsAtOnce = ({ protocol }: URL): number => (protocol === "http:" && isBrowser() ? 4 : Infinity)

/** What may be wrong when a request fails and the browser keeps to itself why. */
export function untold(url: URL): string {
  const { origin } = globalThis as { readonly origin?: string }
  if (!isBrowser() || origin === url.origin) return ""
  return `; a page is not told more: is ${url.origin} there, may pages of ${origin} ask it (CORS), and does this page's policy let it ask?`
}
