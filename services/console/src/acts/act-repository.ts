import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Person } from '../door/person'

/** What was done, such as `key.created`; `subject` is the id of what it was done to. */
export type NewAct = { accountId: string | null; act: string; subject?: string; details?: Record<string, string | number | boolean | null> }

export const insertAct = (sql: Sql | TransactionSql, person: Pick<Person, 'id' | 'email' | 'address'>, act: NewAct) =>
  sql`
    insert into audit_act (account_id, person_id, person_email, act, subject, details, address)
    values (${act.accountId}, ${person.id}, ${person.email}, ${act.act}, ${act.subject ?? null}, ${JSON.stringify(act.details ?? {})}::text::jsonb, ${person.address})`
