/** What reads sources, for tests in TypeScript. */

export function parse(file: string, source: string): object
