/** What the exit codes mean; the help text is printed from here. */
export const exits = {
  fine: [0, "all went well"],
  toolFailed: [1, "the tool answered that it failed (isError); its answer is printed"],
  usage: [2, "the command line is wrong, or its arguments do not fit the tool"],
  unopened: [3, "the server could not be started, left, or the two did not agree"],
  refused: [4, "the server refused, does not offer it, or gave an answer that is not valid"],
  timeout: [5, "the server took longer than --timeout"],
  broken: [70, "a mistake of this program's own, which it did not expect"],
  unwritten: [74, "the result could not be written; a reader who left early, as head does, is 0"],
  interrupted: [130, "interrupted by Ctrl-C"],
  terminated: [143, "ended by SIGTERM"]
} as const

export type Exit = keyof typeof exits
