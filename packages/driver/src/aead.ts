/** How a seal is made: AES-256-GCM under keys derived by HKDF, as text. Loaded when something is to be sealed. */
import type { JsonObject } from "@parley/core"
import type { Sealer } from "./seal.js"

/** A token is base64url of this, the key's id, an initialisation vector, and what was encrypted with its tag. */
const version = 1
const idLength = 4
const ivLength = 12
const head = 1 + idLength + ivLength

type Bytes = Uint8Array<ArrayBuffer>

interface Key {
  /** Says in a token which key it is, and nothing of the key. */
  readonly id: Bytes
  readonly key: CryptoKey
}

export async function aead(
  name: string,
  secrets: ReadonlyArray<Bytes> | undefined,
  ttlMs: number,
  now: () => number
): Promise<Sealer> {
  const keys = await Promise.all((secrets ?? [(own ??= crypto.getRandomValues(new Uint8Array(32)))]).map(derived))
  const how = (iv: Bytes, bound: string): AesGcmParams => ({
    name: "AES-GCM",
    iv,
    additionalData: utf8.encode(JSON.stringify([name, bound]))
  })
  return {
    seal: async (payload, bound) => {
      const { id, key } = keys[0]!
      const iv = crypto.getRandomValues(new Uint8Array(ivLength))
      const plain = utf8.encode(JSON.stringify({ until: now() + ttlMs, payload }))
      const secret = new Uint8Array(await crypto.subtle.encrypt(how(iv, bound), key, plain))
      const token = new Uint8Array(head + secret.length)
      token[0] = version
      token.set(id, 1)
      token.set(iv, 1 + idLength)
      token.set(secret, head)
      return base64url(token)
    },
    unseal: async (token, bound) => {
      const bytes = bytesOf(token)
      const key = keys.find(({ id }) => id.every((byte, at) => byte === bytes?.[1 + at]))?.key
      if (bytes?.[0] !== version || key === undefined) return undefined
      const iv = bytes.slice(1 + idLength, head)
      const plain = await crypto.subtle.decrypt(how(iv, bound), key, bytes.slice(head))
      const { until, payload } = JSON.parse(new TextDecoder().decode(plain)) as { until: number; payload: JsonObject }
      return now() < until ? payload : undefined
    }
  }
}

/** The key of a process that was given none. */
let own: Bytes | undefined

async function derived(secret: Bytes): Promise<Key> {
  const material = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"])
  const how = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array(0), info: utf8.encode("parley requestState 1") }
  const bits = await crypto.subtle.deriveBits(how, material, 8 * (32 + idLength))
  const key = await crypto.subtle.importKey("raw", bits.slice(0, 32), "AES-GCM", false, ["encrypt", "decrypt"])
  return { id: new Uint8Array(bits.slice(32)), key }
}

const utf8 = new TextEncoder()

function base64url(bytes: Bytes): string {
  let binary = ""
  for (let from = 0; from < bytes.length; from += 32_768)
    binary += String.fromCharCode(...bytes.subarray(from, from + 32_768))
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")
}

/** Nothing for what `base64url` would have written otherwise: of one seal there is one text. */
function bytesOf(token: string): Bytes | undefined {
  const bytes = Uint8Array.from(atob(token.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0))
  return base64url(bytes) === token ? bytes : undefined
}
