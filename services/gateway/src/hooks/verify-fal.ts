import { createHash, verify } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { TypeCompiler } from '@sinclair/typebox/compiler'
import type { CallbackProof } from './callback-proof'
import type { PublishedKeys } from './published-keys'

export type VerifyFalDeps = {
  keys: PublishedKeys
  /** fal's id of our account there. Undefined: a callback of any account counts. */
  userId: string | undefined
  now: () => Date
}

/** fal's page allows so much between its clock and ours. */
const timestampSecondsMax = 300

/** The id in the queue's API. fal's are UUIDs; it goes into URLs and rows. */
const bodyForm = TypeCompiler.Compile(Type.Object({ request_id: Type.String({ pattern: '^[A-Za-z0-9_-]{1,100}$' }) }))

/**
 * fal signs `request id \n user id \n timestamp \n sha256 of the body in hex` with Ed25519: fal.ai/docs/documentation/model-apis/inference/webhooks.
 * The address it was sent to is not part of what is signed.
 */
export async function verifyFal({ keys, userId, now }: VerifyFalDeps, headers: Headers, body: Uint8Array): Promise<CallbackProof> {
  const [requestId, signer, timestamp, signature] = ['Request-Id', 'User-Id', 'Timestamp', 'Signature'].map(name =>
    headers.get(`X-Fal-Webhook-${name}`),
  )
  if (!requestId || !signer || !timestamp || !signature) return { proved: 'unsigned' }
  if (!/^[0-9]{1,12}$/.test(timestamp)) return { proved: 'forged' }
  if (Math.abs(now().getTime() / 1_000 - Number(timestamp)) > timestampSecondsMax) return { proved: 'stale' }
  if (!/^[0-9a-f]{128}$/i.test(signature)) return { proved: 'forged' }
  const digest = createHash('sha256').update(body).digest('hex')
  const message = Buffer.from([requestId, signer, timestamp, digest].join('\n'))
  const isSigned = await keys.some(key => verify(null, message, key, Buffer.from(signature, 'hex')))
  if (isSigned === undefined) return { proved: 'unchecked' }
  if (!isSigned) return { proved: 'forged' }
  if (userId !== undefined && signer !== userId) return { proved: 'foreign' }
  const providerTaskId = idOf(body)
  return providerTaskId === undefined ? { proved: 'unnamed' } : { proved: 'verified', providerTaskId }
}

function idOf(body: Uint8Array): string | undefined {
  try {
    const content: unknown = JSON.parse(Buffer.from(body).toString())
    return bodyForm.Check(content) ? content.request_id : undefined
  } catch {
    return undefined
  }
}
