import { createHash, randomBytes } from 'node:crypto'
import type { Secrets } from '@filmgate/kit/environment/secrets'

/** Encrypts secrets for the database: AES-256-GCM, bound to the id of their endpoint, or of the task of their callback. */
export type Vault = {
  seal(ownerId: string, secret: string): Promise<Buffer>
  /** Throws where no key opens it. */
  open(ownerId: string, sealed: Uint8Array): Promise<string>
  /** The same secret under the first key; undefined where it is already. Throws where no key opens it. */
  renew(ownerId: string, sealed: Uint8Array): Promise<Buffer | undefined>
}

const nonceBytes = 12

const importKey = (secretKey: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('raw', createHash('sha256').update(secretKey).digest(), 'AES-GCM', false, ['encrypt', 'decrypt'])

/** The first key seals; each of them opens, and the tag of what is sealed tells which one. */
export async function createVault([current, ...accepted]: Secrets): Promise<Vault> {
  const [first, ...others] = await Promise.all([importKey(current), ...accepted.map(importKey)])
  const algorithm = (ownerId: string, iv: Uint8Array<ArrayBuffer>) => ({
    name: 'AES-GCM',
    iv,
    additionalData: new TextEncoder().encode(ownerId),
  })
  const openWith = async (keys: CryptoKey[], ownerId: string, sealed: Uint8Array): Promise<string> => {
    const bytes = Uint8Array.from(sealed)
    const decrypt = (key: CryptoKey) => crypto.subtle.decrypt(algorithm(ownerId, bytes.slice(0, nonceBytes)), key, bytes.slice(nonceBytes))
    return new TextDecoder().decode(await Promise.any(keys.map(decrypt)))
  }
  async function seal(ownerId: string, secret: string): Promise<Buffer> {
    const nonce = crypto.getRandomValues(new Uint8Array(nonceBytes))
    const sealed = await crypto.subtle.encrypt(algorithm(ownerId, nonce), first, new TextEncoder().encode(secret))
    return Buffer.concat([nonce, Buffer.from(sealed)])
  }
  return {
    seal,
    open: (ownerId, sealed) => openWith([first, ...others], ownerId, sealed),
    async renew(ownerId, sealed) {
      const isFirst = await openWith([first], ownerId, sealed).then(
        () => true,
        () => false,
      )
      return isFirst ? undefined : seal(ownerId, await openWith(others, ownerId, sealed))
    },
  }
}

const secretBytes = 32

/** In the form of Standard Webhooks. */
export const newSecret = (): string => `whsec_${randomBytes(secretBytes).toString('base64')}`
