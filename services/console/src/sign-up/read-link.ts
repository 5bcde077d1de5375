import { verifyJWT } from 'better-auth/crypto'

/** The content of a mailed link: the address to confirm, and the new address for a change. */
export type Link = { personId: string; email: string; newEmail?: string }

/** Undefined if the link is invalid or has expired. */
export async function readLink(token: string, authSecret: string): Promise<Link | undefined> {
  const claims = await verifyJWT<{ userId?: string; email?: string; updateTo?: string }>(token, authSecret)
  if (!claims?.userId || !claims.email) return undefined
  return { personId: claims.userId, email: claims.email, newEmail: claims.updateTo }
}
