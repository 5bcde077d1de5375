import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'

/** Returns the ids that were not there yet. */
export async function insertWarnings(sql: TransactionSql, ids: string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    insert into warning (id) select id from unnest(${ids}::uuid[]) as one (id) order by id on conflict do nothing returning id`
  return new Set(rows.map(({ id }) => id))
}

export const deleteWarningsBefore = (sql: Sql, before: Date) => sql`delete from warning where created_at < ${before}`

/** `memberName`: of the member whose budget it is, while they are one. */
export type Recipient = { personId: string; email: string; name: string; accountName: string; isOwner: boolean; memberName: string | null }

/** The owners of an open account and the member whom a warning is about, without those who have ended such mails. */
export const listRecipients = (sql: TransactionSql, { accountId, memberId }: { accountId: string; memberId: string | null }) =>
  sql<Recipient[]>`
    select person.id as "personId", person.email, person.name, account.name as "accountName", membership.role = 'owner' as "isOwner",
           (select about.name from membership as of join person as about on about.id = of.person_id
            where of.account_id = account.id and of.person_id = ${memberId}) as "memberName"
    from account join membership on membership.account_id = account.id join person on person.id = membership.person_id
    left join mail_choice as choice on choice.account_id = account.id and choice.person_id = person.id
    where account.id = ${accountId} and account.closed_at is null and person.email_verified and coalesce(choice.warnings, true)
      and (membership.role = 'owner' or person.id = ${memberId})
    order by person.id`
