/** Texts that would take many times their size once parsed: nothing but brackets and commas, tens of millions of them. */

/** Characters from which on a text is looked at; shorter ones cost what they cost. */
const large = 16 * 1024 * 1024

/** The most values that a large text may hold. */
const most = 2_000_000

/** Counts what begins a value, outside of strings: an object, an array, or what a comma parts. */
export function tooManyValues(text: string): boolean {
  if (text.length <= large) return false
  let found = 0
  for (let i = 0; i < text.length && found <= most; i++) {
    const code = text.charCodeAt(i)
    if (code === comma || code === bracket || code === brace) found++
    else if (code === quote) i = endOf(text, i)
  }
  return found > most
}

/** Where the string that begins there ends; the text's end when it does not. */
function endOf(text: string, begin: number): number {
  for (let end = begin; ;) {
    end = text.indexOf('"', end + 1)
    if (end < 0) return text.length
    let back = end
    while (text.charCodeAt(back - 1) === backslash) back--
    // As many backslashes as make pairs leave the quote a quote.
    if ((end - back) % 2 === 0) return end
  }
}

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b
