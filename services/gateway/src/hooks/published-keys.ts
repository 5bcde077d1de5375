import { createPublicKey, type KeyObject } from 'node:crypto'
import type { FetchLimits } from '@filmgate/kit/safe-fetch/fetch-policy'
import { safeFetch } from '@filmgate/kit/safe-fetch/safe-fetch'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type Static, Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'

export type PublishedKeysOptions = {
  /** Of a JSON Web Key Set (RFC 7517, 8037). One with http:// is a developer's own, and may be a private address. */
  url: string
  now: () => number
  log: Pick<Log, 'warn'>
}

export type PublishedKeys = {
  /** Whether one of the keys is that of a signature; undefined where there are no keys to judge by. */
  some(isOf: (key: KeyObject) => boolean): Promise<boolean | undefined>
}

/** fal.ai/docs/documentation/model-apis/inference/webhooks lets the keys be kept for a day. */
const believedMs = 86_400_000
/** Kept longer than this, they are read anew behind the request that used them. */
const freshMs = 3_600_000
/** Whoever calls, and whatever he signs with, has them read no more often. */
const readEveryMs = 30_000
/** A caller waits for one read at most. Nothing but the address itself is followed. */
const limits: Partial<FetchLimits> = { redirectsMax: 0, totalTimeoutMs: 2_000, bodyBytesMax: 65_536 }

const keySetForm = TypeCompiler.Compile(Type.Object({ keys: Type.Array(Type.Unknown(), { maxItems: 50 }) }))
const Ed25519Key = Type.Object({
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String({ pattern: '^[A-Za-z0-9_-]{43}$' }),
})
const ed25519Form = TypeCompiler.Compile(Ed25519Key)

/** A provider's Ed25519 keys as it publishes them: kept, read anew when a signature is of none of them, and never for longer than it allows. */
export function createPublishedKeys(options: PublishedKeysOptions): PublishedKeys {
  const { now, log } = options
  let kept: { keys: KeyObject[]; readAt: number } | undefined
  let triedAt = Number.NEGATIVE_INFINITY
  let reading: Promise<boolean> | undefined

  const believed = (): KeyObject[] | undefined => (kept && now() - kept.readAt < believedMs ? kept.keys : undefined)

  async function read(): Promise<boolean> {
    try {
      kept = { keys: await readKeys(options.url), readAt: now() }
      return true
    } catch (error) {
      log.warn({ err: error, url: options.url }, 'the keys of a provider’s callbacks could not be read')
      return false
    } finally {
      reading = undefined
    }
  }

  /** Whether they were read just now; calls of one moment share one read. */
  function readAgain(): Promise<boolean> {
    if (reading) return reading
    if (now() - triedAt < readEveryMs) return Promise.resolve(false)
    triedAt = now()
    reading = read()
    return reading
  }

  return {
    async some(isOf) {
      if (!believed()) await readAgain()
      const keys = believed()
      if (!keys) return undefined
      if (keys.some(isOf)) {
        if (kept && now() - kept.readAt >= freshMs) void readAgain()
        return true
      }
      // The provider may have a new key.
      return (await readAgain()) && believed()?.some(isOf) === true
    },
  }
}

async function readKeys(url: string): Promise<KeyObject[]> {
  const { protocol, origin } = new URL(url)
  const policy = { forbiddenRanges: [], trustedOrigins: protocol === 'http:' ? [{ origin }] : [] }
  const { body } = await safeFetch(policy, { url, limits })
  const set: unknown = JSON.parse(Buffer.concat(await Array.fromAsync(body)).toString())
  if (!keySetForm.Check(set)) throw new Error('answered with something that is no key set')
  const keys = set.keys.filter((key): key is Static<typeof Ed25519Key> => ed25519Form.Check(key))
  if (keys.length === 0) throw new Error('answered with a key set without an Ed25519 key')
  return keys.map(({ kty, crv, x }) => createPublicKey({ key: { kty, crv, x }, format: 'jwk' }))
}
