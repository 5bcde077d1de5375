import { Failure } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { openedMessage } from './account-message'
import { insertAccountOnce, lockAccount, renameAccount } from './account-repository'

export type PutAccountDeps = { outbox: Pick<Outbox, 'transaction'>; topicPrefix: string; now(): Date }
export type PutAccountInput = { accountId: string; name: string; operator: string }

/** Opens an account under an id that the caller chose, without a key and without credits, or renames it. Returns whether it was opened. */
export const putAccount = (
  { outbox, topicPrefix, now }: PutAccountDeps,
  { accountId, name, operator }: PutAccountInput,
): Promise<boolean> =>
  outbox.transaction(async (sql, send) => {
    if (await insertAccountOnce(sql, accountId, name)) {
      await insertAuditEntry(sql, { operator, act: 'account_opened', accountId, subject: null })
      send([openedMessage(topicPrefix, { accountId, name, at: now() })])
      return true
    }
    const known = await lockAccount(sql, accountId)
    if (known?.closedAt) throw new Failure<Reason>('account_closed')
    if (known?.name === name) return false
    await renameAccount(sql, accountId, name)
    await insertAuditEntry(sql, { operator, act: 'account_renamed', accountId, subject: null })
    return false
  })
