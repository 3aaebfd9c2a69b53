/** A terminal's text as a page: colours by SGR codes, a line that was rewritten as it was last. */
/* oxlint-disable no-control-regex -- finding them is the purpose */

const dark = {
  page: "#1b1e28",
  back: "#11131a",
  text: "#d7dae0",
  faint: "#7d8494",
  31: "#ff6b70",
  32: "#7fd88f",
  33: "#e7c664",
  35: "#d59ff0",
  36: "#6fc8ea"
}

const light = {
  page: "#e8eaef",
  back: "#ffffff",
  text: "#24292f",
  faint: "#78808c",
  31: "#c4232b",
  32: "#1a7f37",
  33: "#946100",
  35: "#8b3fb5",
  36: "#0b6a96"
}

export const themes = { dark, light }

/** The page, and the size at which all of it is seen. */
export function html(command, text, theme) {
  const lines = [`\u001b[1;32m$\u001b[0m \u001b[1m${command}\u001b[0m`, ...text.split(/\r?\n/).map(rewritten)]
  const body = lines.map((line) => `<div>${line === "" ? " " : spans(line)}</div>`).join("")
  const colours = [31, 32, 33, 35, 36].map((code) => `.c${code} { color: ${theme[code]}; }`).join(" ")
  return {
    width: 880,
    height: 80 + lines.length * 19,
    text: `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: ${theme.page}; }
main { margin: 14px; border-radius: 8px; background: ${theme.back}; color: ${theme.text}; padding: 36px 20px 14px;
  position: relative; font: 13.5px/19px "DejaVu Sans Mono", "Liberation Mono", monospace; white-space: pre; }
main::before { content: ""; position: absolute; left: 18px; top: 13px; width: 11px; height: 11px; border-radius: 50%;
  background: #ff5f57; box-shadow: 18px 0 #febc2e, 36px 0 #28c840; }
.b { font-weight: bold; } .f { color: ${theme.faint}; } ${colours}
</style><main>${body}</main>`
  }
}

/** What a carriage return and "erase the rest" leave of a line. */
const rewritten = (line) =>
  line
    .split(/\r?\u001b\[K|\u001b\[1G\u001b\[0?J/)
    .at(-1)
    .replaceAll(/\u001b\[\d*[A-HJK]|\r/g, "")

function spans(line) {
  let [bold, faint, colour] = [false, false, undefined]
  return line
    .split(/(\u001b\[[\d;]*m)/)
    .map((part) => {
      const sgr = /^\u001b\[([\d;]*)m$/.exec(part)
      if (sgr === null) {
        const classes = [bold ? "b" : "", faint ? "f" : "", colour ?? ""].filter((name) => name !== "").join(" ")
        return classes === "" ? escaped(part) : `<span class="${classes}">${escaped(part)}</span>`
      }
      for (const code of sgr[1].split(";").map(Number)) {
        if (code === 0) [bold, faint, colour] = [false, false, undefined]
        else if (code === 1) bold = true
        else if (code === 2) faint = true
        else if (code === 22) [bold, faint] = [false, false]
        else if (code === 39) colour = undefined
        else colour = `c${code}`
      }
      return ""
    })
    .join("")
}

const escaped = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")
