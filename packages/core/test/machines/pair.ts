/** A client machine and a server machine with two queues of texts between them, and nothing else: no driver, no clock. */
import type {
  ClientDefinition,
  ClientMachine,
  ClientMachineOptions,
  ClientState,
  Input as ClientInput,
  Output as ClientOutput
} from "../../src/client/index.js"
import { clientMachine } from "../../src/client/index.js"
import type { Definition } from "../../src/definition.js"
import type { JsonObject } from "../../src/json.js"
import { isObject } from "../../src/json.js"
import type {
  Input as ServerInput,
  Output as ServerOutput,
  ServerMachine,
  ServerMachineOptions,
  ServerState
} from "../../src/server/index.js"
import { serverMachine } from "../../src/server/index.js"

export interface Pair {
  readonly server: ServerMachine
  readonly client: ClientMachine
  readonly far: () => ServerState
  readonly near: () => ClientState
  /** What each of the two put out, in order. */
  readonly run: Array<ServerOutput>
  readonly heard: Array<ClientOutput>
  /** Every message in the order in which it was sent, `->` to the server. */
  readonly sent: Array<string>
  readonly toServer: (input: ServerInput) => void
  readonly toClient: (input: ClientInput) => void
  /** The oldest text of a queue arrives; false when there is none. */
  readonly up: () => boolean
  readonly down: () => boolean
  /** Everything arrives, and what comes of it. */
  readonly flush: () => void
  /** Both states are written down and read back. */
  readonly move: () => void
}

export interface Options {
  readonly client?: ClientMachineOptions
  readonly server?: ServerMachineOptions
  readonly via?: string
}

export function pair(definition: Definition, of: ClientDefinition, options: Options = {}): Pair {
  const server = serverMachine(definition, options.server)
  const client = clientMachine(of, options.client)
  let [far, near] = [server.initial, client.initial]
  const [rising, falling]: [Array<string>, Array<string>] = [[], []]
  const run: Array<ServerOutput> = []
  const heard: Array<ClientOutput> = []
  const sent: Array<string> = []
  const via = options.via ?? "pair"

  const toServer = (input: ServerInput): void => {
    const [next, outputs] = server.step(far, input)
    far = next
    for (const output of outputs) {
      run.push(output)
      if (output._tag === "Send") {
        const text = output.text ?? JSON.stringify(output.message)
        sent.push(`<- ${text}`)
        falling.push(text)
      }
      if (output._tag === "Seal")
        toServer({ _tag: "Sealed", call: output.call, id: output.id, token: sealed(output.payload, output.bound) })
      if (output._tag === "Unseal")
        toServer({ _tag: "Unsealed", call: output.call, id: output.id, payload: unsealed(output.token, output.bound) })
    }
  }
  const toClient = (input: ClientInput): void => {
    const [next, outputs] = client.step(near, input)
    near = next
    for (const output of outputs) {
      heard.push(output)
      if (output._tag !== "Send") continue
      const text = JSON.stringify(output.message)
      sent.push(`-> ${text}`)
      rising.push(text)
    }
  }
  const up = (): boolean => {
    const text = rising.shift()
    if (text === undefined) return false
    toServer({ _tag: "Received", json: JSON.parse(text), via })
    return true
  }
  const down = (): boolean => {
    const text = falling.shift()
    if (text === undefined) return false
    toClient({ _tag: "Received", json: JSON.parse(text), via })
    return true
  }
  return {
    server,
    client,
    far: () => far,
    near: () => near,
    run,
    heard,
    sent,
    toServer,
    toClient,
    up,
    down,
    flush: () => {
      while (up() || down());
    },
    move: () => {
      const there = server.decode(JSON.parse(JSON.stringify(server.encode(far))))
      const here = client.decode(JSON.parse(JSON.stringify(client.encode(near))))
      if (!there.ok || !here.ok) throw new Error("a state could not be read back")
      far = there.value
      near = here.value
    }
  }
}

/** No secret, but the client does not look into it. */
const sealed = (payload: JsonObject, bound: string): string => JSON.stringify({ payload, bound })

function unsealed(token: string, bound: string): unknown {
  const inside: unknown = JSON.parse(token)
  return isObject(inside) && inside["bound"] === bound ? inside["payload"] : undefined
}
