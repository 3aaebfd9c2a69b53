/** The formats of a form's fields: what is right is never refused. */
import { describe, expect, it } from "vitest"
import { misformed } from "../src/format.js"

const right: Record<string, ReadonlyArray<string>> = {
  email: [
    "ada@example.com",
    "a@b",
    "first.last+tag@sub.example.co.uk",
    "jörg@münchen.example",
    "用户@例子.公司",
    "o'hara!#$%&'*/=?^_`{|}~-@example.com",
    '"two words"@example.com',
    '"with \\" and @"@example.com',
    "ada@[192.168.0.1]",
    "ada@[IPv6:2001:db8::1]",
    "two..dots.@docomo.ne.jp"
  ],
  uri: [
    "https://example.com",
    "HTTP://example.com:8080/a/b?c=d&e[]=f#g",
    "mailto:ada@example.com",
    "urn:isbn:0451450523",
    "file:///etc/hosts",
    "ftp://example.com/a",
    "tel:+1-816-555-1212",
    "data:text/plain,a%20b",
    "ldap://[2001:db8::7]/c=GB?one",
    "https://[2001:db8::7]/",
    "https://user:word@example.com/",
    "https://münchen.example/straße",
    "custom+scheme.1:"
  ],
  date: ["2026-01-31", "2024-02-29", "2000-02-29", "0000-01-01", "9999-12-31"],
  "date-time": [
    "2026-01-31T09:30:00Z",
    "2026-01-31t09:30:00z",
    "2026-01-31 09:30:00Z",
    "2026-01-31T09:30:00.123456789+14:00",
    "2026-01-31T09:30:00-00:00",
    "2016-12-31T23:59:60Z",
    "1998-12-31T15:59:60.5-08:00",
    "2017-01-01T05:29:60+05:30"
  ]
}

const wrong: Record<string, ReadonlyArray<string>> = {
  email: [
    "nope",
    "",
    "@",
    "@example.com",
    "ada@",
    "ada @example.com",
    "ada@exam ple.com",
    "ada@example..com",
    "ada@.example.com",
    "Ada <ada@example.com>",
    "mailto:ada@example.com",
    "a@b@c",
    "ada@example.com, bob@example.com",
    'a"b@example.com',
    '"a"b"@example.com',
    "ada@example.com\n"
  ],
  uri: [
    "nope",
    "",
    "example.com",
    "/a/b",
    "//example.com",
    "https:",
    "https://",
    "https:example.com",
    "https:///a",
    "https://exa mple.com",
    " https://example.com",
    "https://example.com\n",
    "https://example.com/%zz",
    "https://example.com:port/",
    "C:\\a",
    "<https://example.com>",
    "1a:b"
  ],
  date: [
    "nope",
    "",
    "2026-02-29",
    "2026-04-31",
    "2026-13-01",
    "2026-00-01",
    "2026-01-00",
    "2026-1-1",
    "26-01-01",
    "2026-01-31T00:00:00Z",
    "2026-01-31\n",
    "+02026-01-31"
  ],
  "date-time": [
    "nope",
    "",
    "2026-01-31",
    "2026-01-31T09:30:00",
    "2026-01-31T09:30Z",
    "2026-02-30T09:30:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T09:60:00Z",
    "2026-01-31T09:30:61Z",
    "2026-01-31T09:30:60Z",
    "2016-12-31T23:59:60+01:00",
    "2026-01-31T09:30:00+24:00",
    "2026-01-31T09:30:00+01:60",
    "2026-01-31T09:30:00+0100",
    "2026-01-31T09:30:00.Z"
  ]
}

const each = (texts: typeof right) =>
  Object.entries(texts).flatMap(([format, all]) => all.map((text): [string, string] => [format, text]))

describe("a text", () => {
  it.each(each(right))("is %s: %j", (format, text) => {
    expect(misformed(format, text)).toBeUndefined()
  })

  it.each(each(wrong))("is no %s: %j", (format, text) => {
    expect(misformed(format, text)).toContain(`must be a`)
  })

  it("of a format that forms do not have, or of none, is never wrong", () => {
    for (const format of ["ipv4", "constructor", undefined]) expect(misformed(format, "nope")).toBeUndefined()
  })

  it("is judged in a moment, however long it is", () => {
    const long = 200_000
    const hostile = ["a".repeat(long), '"'.repeat(long), `"${"\\a".repeat(long)}`, "a@".repeat(long), "[".repeat(long)]
    const schemes = [`a:${"%20".repeat(long)} `, `https://${"a.".repeat(long)} `, "a+".repeat(long)]
    const started = performance.now()
    for (const format of Object.keys(right)) for (const text of [...hostile, ...schemes]) misformed(format, text)
    expect(performance.now() - started).toBeLessThan(5_000)
  })
})
