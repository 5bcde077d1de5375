import type { FormerSecret, StoredKey } from './key-repository'

/** The secrets that rotations replaced, whether or not they still work. */
export function formerSecrets({ previousHash, previousUntil, former }: StoredKey): FormerSecret[] {
  const earlier = former.map(({ hash, until }) => ({ hash: Buffer.from(hash, 'hex'), until: new Date(until) }))
  return previousHash && previousUntil ? [...earlier, { hash: previousHash, until: previousUntil }] : earlier
}
