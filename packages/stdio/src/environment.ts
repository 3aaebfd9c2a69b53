/** The environment a started server gets: enough to find programs and settings, and no secret by accident. */

/** `safe`: the variables of `SAFE`. `all`: everything this process has. `none`: nothing but what is given. */
export type Inherit = "safe" | "all" | "none"

/** What `safe` passes on where it is set: programs, home, user, terminal, language, time zone, temporary files. No tokens, no proxies. */
export const SAFE: ReadonlyArray<string> =
  process.platform === "win32"
    ? [
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "NUMBER_OF_PROCESSORS",
        "OS",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR"
      ]
    : ["HOME", "LANG", "LC_ALL", "LC_CTYPE", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"]

/** What is inherited, with what is given on top; a given `undefined` takes a variable away. */
export function environment(
  inherit: Inherit,
  given: Readonly<Record<string, string | undefined>>,
  own: NodeJS.ProcessEnv = process.env
): Record<string, string> {
  const names = inherit === "none" ? [] : inherit === "all" ? Object.keys(own) : SAFE
  const env: Record<string, string> = {}
  for (const name of names) {
    const value = own[name]
    // A value that starts so is a shell function, which some shells would run.
    if (value !== undefined && !value.startsWith("()")) env[name] = value
  }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) delete env[name]
    else env[name] = value
  }
  return env
}
