import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { endKeys } from '../keys/key-repository'
import { forgetPromptsOf } from '../tasks/forgetting/forget-prompts'
import { lockAccount, markClosed } from './account-repository'
import { insertClosing } from './closing-repository'

/** Of an account with very many tasks the daily pass forgets the rest: who closes it waits for no more. */
const forgetMsMax = 2_000

/**
 * Closes an account for ever: its keys end, it takes no new generation, and the prompts of its tasks are forgotten. What runs is finished and
 * billed; entries and usage records stay, and webhooks tell the ends (`endClosings`). Closed again, it is closed already.
 */
export async function closeAccount({ sql }: { sql: Sql }, { accountId, operator }: { accountId: string; operator: string }): Promise<void> {
  await sql.begin(async sql => {
    const account = await lockAccount(sql, accountId)
    if (!account) throw new Failure<Reason>('account_not_found')
    if (account.closedAt) return
    await markClosed(sql, accountId)
    await insertClosing(sql, accountId)
    for (const keyId of await endKeys(sql, accountId))
      await insertAuditEntry(sql, { operator, act: 'key_revoked', accountId, subject: keyId })
    await insertAuditEntry(sql, { operator, act: 'account_closed', accountId, subject: null })
  })
  await forgetPromptsOf(sql, accountId, forgetMsMax)
}
