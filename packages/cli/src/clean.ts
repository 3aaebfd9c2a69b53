/** Makes a stranger's text safe to print: nothing in it moves a cursor, sets a colour, or reads other than it is written. */
import { written } from "./depth.js"

/** Terminal sequences as a whole, so that no remains of them are left between the words. */
const sequences =
  // eslint-disable-next-line no-control-regex -- finding them is the purpose
  /(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]|\u001b[\]PX^_][^\u0007\u001b\u009c]*(?:\u0007|\u001b\\|\u009c)|\u001b[ -/]*[0-~]/g

/** Control characters but line ends and tabs, direction overrides, invisible marks and tags; the joiner of emoji stays. */
const unseen =
  /[^\P{Cc}\n\t]|[\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu

/** Many lines. Line ends stay, tabs become spaces. */
export const block = (text: string): string => plain(text).replaceAll("\t", "    ")

/** One line: every run of white space is one space. */
export const line = (text: string): string => plain(text).replaceAll(/\s+/gu, " ").trim()

/** Of whatever kind it is, in one line. */
export const brief = (value: unknown): string =>
  value === undefined ? "" : line(typeof value === "string" ? value : written(value))

/** JSON to be read by a person or a program: what a terminal would obey is written as `\u001b`. */
export const json = (value: unknown, indent = 2): string =>
  written(value, indent).replaceAll(escapable, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, "0")}`).join("")
  )

const plain = (text: string): string => text.replaceAll(/\r\n?/g, "\n").replaceAll(sequences, "").replaceAll(unseen, "")

const escapable =
  /[\u007f-\u009f\u00ad\u061c\u180e\u200b\u200c\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]|[\u{e0000}-\u{e007f}]/gu
