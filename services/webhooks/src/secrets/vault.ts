import { createHash, randomBytes } from 'node:crypto'

/** Encrypts secrets for the database: AES-256-GCM, bound to the id of their endpoint, or of the task of their callback. */
export type Vault = {
  seal(ownerId: string, secret: string): Promise<Buffer>
  open(ownerId: string, sealed: Uint8Array): Promise<string>
}

const nonceBytes = 12

export async function createVault(secretKey: string): Promise<Vault> {
  const digest = createHash('sha256').update(secretKey).digest()
  const key = await crypto.subtle.importKey('raw', digest, 'AES-GCM', false, ['encrypt', 'decrypt'])
  const algorithm = (ownerId: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(ownerId),
  })
  return {
    async seal(ownerId, secret) {
      const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
      const sealed = await crypto.subtle.encrypt(algorithm(ownerId, nonce), key, new TextEncoder().encode(secret))
      return Buffer.concat([nonce, Buffer.from(sealed)])
    },
    async open(ownerId, sealed) {
      const bytes = Uint8Array.from(sealed)
      const opened = await crypto.subtle.decrypt(algorithm(ownerId, bytes.slice(0, nonceBytes)), key, bytes.slice(nonceBytes))
      return new TextDecoder().decode(opened)
    },
  }
}

const secretBytes = 32

/** In the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`
