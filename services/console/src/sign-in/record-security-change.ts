import type { Sql } from '@filmgate/kit/database/postgres'
import { insertAuditEntry } from '../audit-log/audit-entry-repository'
import { securityChangeMail } from '../auth/mails'
import { queueMail } from '../mail/queue-mail'

type Actor = { id: string; email: string; name: string; address: string | null }

/** Records a sign-in, a sign-out or a confirmation. */
export const recordSignIn = (sql: Sql, actor: Omit<Actor, 'name'>, action: string, method: string) =>
  insertAuditEntry(sql, actor, { accountId: null, action, details: { by: method } })

/** Records a change of a person's sign-in methods and mails them about it. */
export const recordSecurityChange = (
  { sql, consoleUrl }: { sql: Sql; consoleUrl: string },
  actor: Actor,
  {
    action,
    change,
    subject,
    details,
    to,
  }: { action: string; change: string; subject?: string; details?: Record<string, string>; to?: string },
) =>
  sql.begin(async sql => {
    await insertAuditEntry(sql, actor, { accountId: null, action, subject, details })
    await queueMail(sql, securityChangeMail({ email: to ?? actor.email, name: actor.name }, change, consoleUrl, actor.address))
  })
