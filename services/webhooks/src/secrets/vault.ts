import { createHash, randomBytes } from 'node:crypto'

/** Encrypts the secrets of endpoints for the database: AES-256-GCM, bound to the endpoint's id. */
export type Vault = {
  seal(endpointId: string, secret: string): Promise<Buffer>
  open(endpointId: string, sealed: Uint8Array): Promise<string>
}

const nonceBytes = 12

export async function createVault(secretKey: string): Promise<Vault> {
  const digest = createHash('sha256').update(secretKey).digest()
  const key = await crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const algorithm = (endpointId: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(endpointId),
  })
  return {
    async seal(endpointId, secret) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const sealed = await crypto.subtle.encrypt(algorithm(endpointId, nonce), key, new TextEncoder().encode(secret))
      return Buffer.concat([nonce, Buffer.from(sealed)])
    },
    async open(endpointId, sealed) {
      const bytes = Uint8Array.from(sealed)
      const opened = await crypto.subtle.decrypt(algorithm(endpointId, bytes.slice(0, nonceBytes)), key, bytes.slice(nonceBytes))
      return new TextDecoder().decode(opened)
    },
  }
}

const secretBytes = 32

/** In the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`
