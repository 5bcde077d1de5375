import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { insertAct } from '../acts/act-repository'
import type { Person } from '../door/person'
import { type Inviter, revokeOf } from './invitation-repository'

type Asked = { actor: Person; inviter: Inviter; accountId: string | null }

/** Who is owner no more lets nobody in any more: what they sent and nobody took ends. `accountId` null: in every account. */
export async function revokeInvitationsOf(sql: TransactionSql, { actor, inviter, accountId }: Asked): Promise<void> {
  for (const { id, email, ...of } of await revokeOf(sql, inviter, accountId))
    await insertAct(sql, actor, { accountId: of.accountId, act: 'invitation.revoked', subject: id, details: { email } })
}
