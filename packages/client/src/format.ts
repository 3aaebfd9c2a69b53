/** What the user typed into a field, held against the field's format. None of the four refuses what is right. */

/** What is wrong with the text; nothing when it fits, or when the format is none of those that forms have. */
export function misformed(format: string | undefined, text: string): string | undefined {
  switch (format) {
    case "email":
      return email(text) ? undefined : "must be an email address, like ada@example.com"
    case "uri":
      return uri(text) ? undefined : "must be a URI with its scheme, like https://example.com"
    case "date":
      return date(text) ? undefined : "must be a date, like 1999-12-31"
    case "date-time":
      return dateTime(text) ? undefined : "must be a date and time with its offset, like 1999-12-31T09:30:00Z"
    default:
      return undefined
  }
}

/** RFC 5321, 4.1.2 with the letters of RFC 6531; dots may stand anywhere before the `@`, as some providers let them. */
function email(text: string): boolean {
  const at = text.lastIndexOf("@")
  const [local, domain] = [text.slice(0, Math.max(at, 0)), text.slice(at + 1)]
  return (plain.test(local) || quoted.test(local)) && (named(domain) || literal.test(domain))
}

const plain = /^[^\s\p{Cc}()<>[\]:;@\\,"]+$/u
const quoted = /^"(?:[^"\\\p{Cc}]|\\[^\p{Cc}])*"$/u
const literal = /^\[[^\s\p{Cc}[\]\\]+\]$/u

const named = (domain: string): boolean => plain.test(domain) && domain.split(".").every((label) => label !== "")

/** RFC 3986, 3 with the letters of RFC 3987. What is for the web has a host that the web can find. */
const uri = (text: string): boolean =>
  generic.test(text) && (!web.test(text) || (rooted.test(text) && URL.canParse(text)))

const generic = /^[a-z][a-z0-9+.-]*:(?:[^\s\p{Cc}<>"{}|\\^`%]|%[0-9a-f]{2})*$/iu
const web = /^https?:/i
const rooted = /^https?:\/\/[^/?#]/i

/** RFC 3339, 5.6: `full-date`. */
function date(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  // The day after the last of a month is none, though some readers take it for the first of the next.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** RFC 3339, 5.6: `date-time`, where a space may stand for the `T`; 5.7: a leap second ends a day of UTC. */
function dateTime(text: string): boolean {
  const parts = /^(.{10})[t ](\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i.exec(text)
  if (parts === null || !date(parts[1]!)) return false
  const number = (at: number): number => Number(parts[at] ?? 0)
  const [hour, minute, second, hours, minutes] = [number(2), number(3), number(4), number(6), number(7)]
  if (hour > 23 || minute > 59 || hours > 23 || minutes > 59) return false
  const east = (hours * 60 + minutes) * (parts[5] === "-" ? -1 : 1)
  const day = 24 * 60
  return second < 60 || (second === 60 && (hour * 60 + minute - east + day) % day === day - 1)
}
