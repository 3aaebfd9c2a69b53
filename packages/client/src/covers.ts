/** Resources that lie below one another, by their URIs. */

/** Every revision, notifications/resources/updated: the URI may be that of something below the one subscribed to. */
export const covers = (uri: string, other: string): boolean =>
  other.startsWith(uri) && (uri.endsWith("/") || ["", "/", "?", "#"].includes(other.charAt(uri.length)))
