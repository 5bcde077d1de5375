import type { Sql } from '@filmgate/kit/database/postgres'
import { findByToken } from './accept'

const invitationPath = /^\/invitations\/([^/?#]+)$/

/** The address of the invitation that a sign-in or sign-up leads back to, so that nobody types it; '' for any other path. */
export async function invitedEmail(sql: Sql, next: string): Promise<string> {
  const [, token] = invitationPath.exec(next) ?? []
  return (token && (await findByToken(sql, token))?.email) || ''
}
