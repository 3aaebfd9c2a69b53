/** Colours, where there is somebody to see them. */

export interface Paint {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly heading: (text: string) => string
  readonly name: (text: string) => string
  readonly type: (text: string) => string
  readonly good: (text: string) => string
  readonly odd: (text: string) => string
  readonly bad: (text: string) => string
}

/** What a page is made for. */
export interface Look {
  readonly width: number
  readonly paint: Paint
  /** Nothing is cut short. */
  readonly full: boolean
}

type Stream = { readonly isTTY?: boolean | undefined; readonly columns?: number | undefined }

type Environment = Readonly<Record<string, string | undefined>>

/** NO_COLOR wins over FORCE_COLOR, and both over what the stream is. */
export function coloured(stream: Stream, env: Environment): boolean {
  if (env["NO_COLOR"] !== undefined && env["NO_COLOR"] !== "") return false
  const forced = env["FORCE_COLOR"]
  if (forced !== undefined) return forced !== "0" && forced !== "false"
  return stream.isTTY === true && env["TERM"] !== "dumb"
}

/** The terminal's width within what can be read; 100 where nobody knows. */
export function columns(stream: Stream, env: Environment): number {
  const known = stream.columns ?? Number(env["COLUMNS"] ?? Number.NaN)
  return Number.isFinite(known) && known > 0 ? Math.min(Math.max(Math.floor(known), 40), 120) : 100
}

const code =
  (open: string, close: string) =>
  (text: string): string =>
    text === "" ? "" : `\u001b[${open}m${text}\u001b[${close}m`

const same = (text: string): string => text

export const paints: Paint = {
  strong: code("1", "22"),
  faint: code("2", "22"),
  heading: code("1;35", "22;39"),
  name: code("1;36", "22;39"),
  type: code("32", "39"),
  good: code("32", "39"),
  odd: code("33", "39"),
  bad: code("31", "39")
}

export const noPaint: Paint = {
  strong: same,
  faint: same,
  heading: same,
  name: same,
  type: same,
  good: same,
  odd: same,
  bad: same
}

export const lookOf = (stream: Stream, env: Environment, full: boolean): Look => ({
  width: columns(stream, env),
  paint: coloured(stream, env) ? paints : noPaint,
  full
})
