import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Role } from './roles'

export type MemberRow = { personId: string; name: string; email: string; role: Role; since: Date }

export const listMembers = (sql: Sql, accountId: string) =>
  sql<MemberRow[]>`
    select person.id as "personId", person.name, person.email, membership.role, membership.created_at as since
    from membership join person on person.id = membership.person_id
    where membership.account_id = ${accountId} order by membership.created_at, person.id`

export type Members = ReadonlyMap<string, { role: Role; email: string }>

/**
 * Locks an open account, so that changes of its members run one at a time. Returns its members, or undefined if there
 * is no such account.
 */
export async function lockMembers(sql: TransactionSql, accountId: string): Promise<Members | undefined> {
  const [account] = await sql`select id from account where id = ${accountId} and closed_at is null for no key update`
  if (!account) return undefined
  const rows = await sql<{ personId: string; role: Role; email: string }[]>`
    select membership.person_id as "personId", membership.role, person.email
    from membership join person on person.id = membership.person_id where membership.account_id = ${accountId}`
  return new Map(rows.map(({ personId, role, email }) => [personId, { role, email }]))
}

export const updateRole = (sql: TransactionSql, accountId: string, personId: string, role: Role) =>
  sql`update membership set role = ${role} where account_id = ${accountId} and person_id = ${personId}`

export const deleteMember = (sql: TransactionSql, accountId: string, personId: string) =>
  sql`delete from membership where account_id = ${accountId} and person_id = ${personId}`

/** An existing member keeps their role. */
export const insertMember = (sql: TransactionSql, accountId: string, personId: string, role: Role) =>
  sql`insert into membership (account_id, person_id, role) values (${accountId}, ${personId}, ${role}) on conflict do nothing`
