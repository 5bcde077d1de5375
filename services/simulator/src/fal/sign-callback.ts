import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Behaviour, find } from '../behaviour/behaviour'

/** What fal calls back with beside the body: fal.ai/docs/documentation/model-apis/inference/webhooks. */
export type SignCallback = (requestId: string, body: string, behaviours: readonly Behaviour[]) => Record<string, string>

export type CallbackKey = {
  signCallback: SignCallback
  /** The set of public keys that fal publishes. */
  keySet(): { keys: object[] }
}

/** The account whose callbacks these are, in fal's words a user. */
const userId = 'usr_simulator'
/** Beyond what a callback may be old. */
const staleSeconds = 3_600

/** The key of this simulator's callbacks, kept in a file, so that it is the same after a restart. */
export function openCallbackKey(path: string, now: () => number): CallbackKey {
  const key = readKey(path)
  return {
    signCallback(requestId, body, behaviours): Record<string, string> {
      const fault = find(behaviours, 'callback_signature')?.is
      if (fault === 'none') return {}
      const timestamp = String(Math.floor(now() / 1_000) - (fault === 'stale' ? staleSeconds : 0))
      const digest = createHash('sha256').update(body).digest('hex')
      const signer = fault === 'forged' ? generateKeyPairSync('ed25519').privateKey : key
      const signature = sign(null, Buffer.from([requestId, userId, timestamp, digest].join('\n')), signer).toString('hex')
      return {
        'x-fal-webhook-request-id': requestId,
        'x-fal-webhook-user-id': userId,
        'x-fal-webhook-timestamp': timestamp,
        'x-fal-webhook-signature': signature,
      }
    },
    keySet: () => ({ keys: [createPublicKey(key).export({ format: 'jwk' })] }),
  }
}

function readKey(path: string): KeyObject {
  if (existsSync(path)) return createPrivateKey(readFileSync(path))
  const { privateKey } = generateKeyPairSync('ed25519')
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 })
  return privateKey
}
