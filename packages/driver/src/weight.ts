/** Texts that would take many times their size once parsed: nothing but brackets and commas, tens of millions of them. */

/** Characters from which on a text is looked at; shorter ones cost what they cost. */
const large = 16 * 1024 * 1024

/** The most values that a large text may hold. */
const most = 2_000_000

/** Counts what begins a value: an object, an array, or what a comma parts. Those inside of strings count too. */
export function tooManyValues(text: string): boolean {
  if (text.length <= large) return false
  let found = 0
  for (let i = 0; i < text.length && found <= most; i++) {
    const code = text.charCodeAt(i)
    if (code === comma || code === bracket || code === brace) found++
  }
  return found > most
}

const comma = 0x2c
const bracket = 0x5b
const brace = 0x7b
