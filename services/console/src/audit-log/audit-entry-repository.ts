import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Person } from '../http/person'

/** `action` is a name such as `key.created`; `subject` is the id of the object. */
export type NewAuditEntry = {
  accountId: string | null
  action: string
  subject?: string
  details?: Record<string, string | number | boolean | null>
}

export const insertAuditEntry = (sql: Sql | TransactionSql, person: Pick<Person, 'id' | 'email' | 'address'>, entry: NewAuditEntry) =>
  sql`
    insert into audit_act (account_id, person_id, person_email, act, subject, details, address)
    values (${entry.accountId}, ${person.id}, ${person.email}, ${entry.action}, ${entry.subject ?? null}, ${JSON.stringify(entry.details ?? {})}::text::jsonb, ${person.address})`
