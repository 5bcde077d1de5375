import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

export type Opening = { accountId: string; accountName: string; personId: string; email: string; tries: number; starter: boolean }

type NewOpening = { accountId: string; personId: string; starter: boolean }

export const insertOpening = (sql: Sql | TransactionSql, { accountId, personId, starter }: NewOpening) =>
  sql`insert into account_opening (account_id, person_id, starter) values (${accountId}, ${personId}, ${starter}) on conflict do nothing`

/** Keeps the first key. False if a row has one of them already. */
export async function insertStarterMailbox(sql: TransactionSql, keys: [string, ...string[]]): Promise<boolean> {
  const rows = await sql`
    insert into starter_mailbox (key)
    select ${keys[0]} where not exists (select from starter_mailbox where key = any(${keys}::text[])) on conflict do nothing`
  return rows.count === 1
}

/** Each key that is there under `from` stands under `to` then. */
export async function replaceStarterMailboxes(sql: Sql, from: string[], to: string[]): Promise<void> {
  await sql`
    with pair as (select * from unnest(${from}::text[], ${to}::text[]) as pair (former, current)),
      gone as (delete from starter_mailbox using pair where key = pair.former returning pair.current, at)
    insert into starter_mailbox (key, at) select current, at from gone on conflict do nothing`
}

/** Claims due openings for `leaseMs`. */
export const claimOpenings = (sql: Sql, limit: number, leaseMs: number) =>
  sql<Opening[]>`
    update account_opening opening set tries = tries + 1, next_try_at = now() + ${leaseMs} * interval '1 millisecond'
    from account, person
    where opening.account_id in (
      select account_id from account_opening where next_try_at <= now() order by next_try_at limit ${limit} for update skip locked)
      and account.id = opening.account_id and person.id = opening.person_id
    returning account.id as "accountId", account.name as "accountName", person.id as "personId", person.email, opening.tries, opening.starter`

export const deleteOpening = (sql: Sql, accountId: string) => sql`delete from account_opening where account_id = ${accountId}`

export const delayOpening = (sql: Sql, accountId: string, ms: number) =>
  sql`update account_opening set next_try_at = now() + ${ms} * interval '1 millisecond' where account_id = ${accountId}`

export async function countPendingOpenings(sql: Sql): Promise<number> {
  const [row] = await sql<{ waiting: number }[]>`select count(*)::int as waiting from account_opening`
  return row?.waiting ?? 0
}
