import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Role } from './roles'

export type Membership = { accountId: string; accountName: string; role: Role }

const columns = (sql: Sql) => sql`account.id as "accountId", account.name as "accountName", membership.role`

/** The open accounts of a person, oldest membership first. */
export const listMemberships = (sql: Sql, personId: string) =>
  sql<Membership[]>`
    select ${columns(sql)} from membership join account on account.id = membership.account_id
    where membership.person_id = ${personId} and account.closed_at is null
    order by membership.created_at, account.id`

/** Undefined if the person is not a member. */
export async function findAccountName(
  sql: Sql,
  { accountId, personId }: { accountId: string; personId: string },
): Promise<string | undefined> {
  const [row] = await sql<{ name: string }[]>`
    select account.name from membership join account on account.id = membership.account_id
    where account_id = ${accountId} and person_id = ${personId} and closed_at is null`
  return row?.name
}

export const insertAccount = (sql: Sql | TransactionSql, { id, name, personId }: { id: string; name: string; personId: string }) =>
  sql`
    with account as (insert into account (id, name) values (${id}, ${name}) on conflict (id) do nothing returning id)
    insert into membership (account_id, person_id, role) select id, ${personId}, 'owner' from account`
