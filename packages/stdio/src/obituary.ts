/** Says why a server is gone, so that a person can act on it. */
import { accessSync, constants, existsSync, statSync } from "node:fs"
import { delimiter, join } from "node:path"

/** A command as a person would type it, shortened. */
export function spelled(command: string, args: ReadonlyArray<string>): string {
  const line = [command, ...args]
    .map((word) => (/^[\w@%+=:,./\\-]+$/.test(word) ? word : JSON.stringify(word)))
    .join(" ")
  return line.length > 200 ? line.slice(0, 200) + "..." : line
}

/** `how` is what happened, such as `exited with code 1`. */
export function died(server: string, how: string, lastWords: ReadonlyArray<string>): string {
  const words =
    lastWords.length === 0
      ? "it wrote nothing to stderr"
      : `its last lines on stderr:\n${lastWords.map((line) => `  ${line}`).join("\n")}`
  return `the server (${server}) ${how}; ${words}`
}

export const exited = (code: number | null, signal: NodeJS.Signals | null): string =>
  signal === null ? `exited with code ${code}` : `was killed by ${signal}`

/** Why it could not be started. What the operating system reports as one code has several causes; they are looked for. */
export function unstarted(
  failure: NodeJS.ErrnoException,
  command: string,
  args: ReadonlyArray<string>,
  cwd: string | undefined,
  path: string | undefined
): string {
  const says = (why: string): string => `the server (${spelled(command, args)}) could not be started: ${why}`
  if (cwd !== undefined && !existsSync(cwd)) return says(`its working directory ${cwd} does not exist`)
  if (cwd !== undefined && !statSync(cwd).isDirectory()) return says(`its working directory ${cwd} is not a directory`)
  const named = /[/\\]/.test(command)
  const found = named ? [command].filter(existsSync) : inPath(command, path)
  if (failure.code === "ENOENT") {
    if (found[0] !== undefined) return says(`${found[0]} exists, but the interpreter its first line names does not`)
    if (named) return says(`there is no file ${command}`)
    return says(
      `"${command}" was not found; the PATH searched is ${path === undefined || path === "" ? "empty" : path}`
    )
  }
  if (failure.code === "EACCES")
    return says(`${found[0] ?? command} may not be executed (${runnable(found[0] ?? command)})`)
  return says(failure.message)
}

const inPath = (command: string, path: string | undefined): Array<string> =>
  (path ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .map((folder) => join(folder, command))
    .filter(existsSync)

function runnable(file: string): string {
  try {
    if (statSync(file).isDirectory()) return "it is a directory"
    accessSync(file, constants.X_OK)
    return "permission denied"
  } catch {
    return "its execute permission is missing"
  }
}
