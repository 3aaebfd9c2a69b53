/** Lets the conformance suite, which is written for Node 22, start on Node 20: `node --import shim.mjs`. Nothing else sees it. */
import { register } from "node:module"

const wrapped = `export * from "node:fs"; export { default } from "node:fs"; export const globSync = () => []`
const hooks = `
  const wrapped = ${JSON.stringify(`data:text/javascript,${encodeURIComponent(wrapped)}`)}
  export const resolve = (specifier, context, next) =>
    specifier === "fs" && context.parentURL?.includes("/@modelcontextprotocol/conformance/")
      ? { url: wrapped, shortCircuit: true }
      : next(specifier, context)
`
const { globSync } = await import("node:fs")
if (globSync === undefined) register(`data:text/javascript,${encodeURIComponent(hooks)}`)
