import { verifyJWT } from 'better-auth/crypto'

/** What the link of a mail says: the address that is confirmed, and the one it takes the place of where it is a change. */
export type Link = { personId: string; email: string; newEmail?: string }

/** Undefined where it is none of ours, or its hour is over. */
export async function readLink(token: string, authSecret: string): Promise<Link | undefined> {
  const claims = await verifyJWT<{ userId?: string; email?: string; updateTo?: string }>(token, authSecret)
  if (!claims?.userId || !claims.email) return undefined
  return { personId: claims.userId, email: claims.email, newEmail: claims.updateTo }
}
