import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { findPersonById } from '../people/person-repository'
import { disableLowBalanceEmails, disableTaskEmails, disableWarnings } from './preference-repository'
import type { MailKind, Subscription } from './unsubscribe-link'

const disableByKind: Record<MailKind, typeof disableTaskEmails> = {
  'task-ended': disableTaskEmails,
  'low-balance': disableLowBalanceEmails,
  warnings: disableWarnings,
}

/** Ends mails of one kind. Does nothing if they are off, or if the person has left the account. */
export async function unsubscribe({ sql }: { sql: Sql }, { address, ...subscription }: Subscription & { address: string }): Promise<void> {
  const person = await findPersonById(sql, subscription.personId)
  if (!person) return
  await sql.begin(async sql => {
    if (!(await disableByKind[subscription.kind](sql, subscription))) return
    const { accountId, kind: subject } = subscription
    await insertAuditEntry(sql, { ...person, address }, { accountId, action: 'mails.stopped', subject })
  })
}
