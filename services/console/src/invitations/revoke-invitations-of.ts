import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import type { Person } from '../http/person'
import { type Inviter, revokeByInviter } from './invitation-repository'

type RevokeInput = { actor: Person; inviter: Inviter; accountId: string | null }

/** Revokes a former owner's open invitations. `accountId` null: in every account. */
export async function revokeInvitationsOf(sql: TransactionSql, { actor, inviter, accountId }: RevokeInput): Promise<void> {
  for (const { id, email, ...of } of await revokeByInviter(sql, inviter, accountId))
    await insertAuditEntry(sql, actor, { accountId: of.accountId, action: 'invitation.revoked', subject: id, details: { email } })
}
