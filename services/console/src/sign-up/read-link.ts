import type { Secrets } from '@filmgate/kit/environment/secrets'
import { signJWT, verifyJWT } from 'better-auth/crypto'

/** The content of a mailed link: the address to confirm, and the new address for a change. */
export type Link = { personId: string; email: string; newEmail?: string }

type Claims = { userId?: string; email?: string; updateTo?: string; exp?: number }

/** Undefined if the link is invalid or has expired. */
export async function readLink(token: string, authSecrets: Secrets): Promise<Link | undefined> {
  const claims = (await verify(token, authSecrets))?.claims
  if (!claims?.userId || !claims.email) return undefined
  return { personId: claims.userId, email: claims.email, newEmail: claims.updateTo }
}

/** The same token as better-auth reads it, with the first secret alone. */
export async function renewLink(token: string, authSecrets: Secrets): Promise<string> {
  const read = await verify(token, authSecrets)
  if (!read || read.secret === authSecrets[0]) return token
  const secondsLeft = (read.claims.exp ?? 0) - Math.floor(Date.now() / 1_000)
  return signJWT(read.claims, authSecrets[0], secondsLeft)
}

async function verify(token: string, authSecrets: Secrets): Promise<{ claims: Claims; secret: string } | undefined> {
  for (const secret of authSecrets) {
    const claims = await verifyJWT<Claims>(token, secret)
    if (claims) return { claims, secret }
  }
  return undefined
}
