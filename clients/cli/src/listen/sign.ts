import { createHmac, randomBytes } from 'node:crypto'

const prefix = 'whsec_'

export const newSecret = (): string => `${prefix}${randomBytes(24).toString('base64')}`

export function isSecret(secret: string): boolean {
  const key = Buffer.from(secret.slice(prefix.length), 'base64')
  return secret === `${prefix}${key.toString('base64')}` && key.length >= 24 && key.length <= 64
}

/** The headers of a delivery by Standard Webhooks. */
export function signedHeaders({ id, body, secret, at }: { id: string; body: string; secret: string; at: Date }): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1_000))
  const signature = createHmac('sha256', Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  }
}
