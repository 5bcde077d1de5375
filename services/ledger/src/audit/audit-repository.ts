import type { Sql, TransactionSql } from '@filmgate/kit/postgres'

/** What a broken invariant looks like: what is wrong, with the ids to look at. */
export type Detail = { detail: string }
type Check = (sql: TransactionSql, limit: number, nowMs: number) => PromiseLike<Detail[]>

/** Entries of one transaction sum to zero. */
export const unbalancedTransactions: Check = (sql, limit) => sql`
  select format('%s entries of %s sum to %s', kind, source_id, sum(credits)) as detail
  from entry group by source_id, kind having sum(credits) <> 0 order by 1 limit ${limit}`

/** All books together sum to zero. */
export const unbalancedBooks: Check = sql => sql`
  select format('all entries sum to %s', sum(credits)) as detail from entry having sum(credits) <> 0`

/** An account's balances are what its entries sum up to. */
export const wrongBalances: Check = (sql, limit) => sql`
  with booked as (
    select account_id, coalesce(sum(credits) filter (where book = 'customer_paid'), 0) as paid,
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0) as starter
    from entry group by account_id
  )
  select format('account %s has available %s and starter %s, its entries say %s and %s', coalesce(id, account_id),
                account.available, account.starter, coalesce(paid, 0), coalesce(booked.starter, 0)) as detail
  from account full join booked on account_id = id
  where account.available is distinct from coalesce(paid, 0) or account.starter is distinct from coalesce(booked.starter, 0)
  order by 1 limit ${limit}`

/** An account's unfinished tasks are its open reservations. */
export const wrongUnfinished: Check = (sql, limit) => sql`
  with open as (
    select account_id, count(*) as tasks from reservation where state in ('reserved', 'review', 'refund_pending') group by account_id
  )
  select format('account %s counts %s unfinished tasks, %s of its reservations are open', id, unfinished, coalesce(tasks, 0)) as detail
  from account left join open on account_id = id where unfinished <> coalesce(tasks, 0) order by 1 limit ${limit}`

/** What is held for an account is what its open reservations hold. */
export const wrongReserved: Check = (sql, limit) => sql`
  with booked as (
    select account_id, sum(credits) as credits from entry where book = 'reserved' group by account_id having sum(credits) <> 0
  ), open as (
    select account_id, sum(paid + starter) as credits
    from reservation where state in ('reserved', 'review', 'refund_pending') group by account_id
  )
  select format('account %s: book reserved says %s, open reservations hold %s', account_id,
                coalesce(booked.credits, 0), coalesce(open.credits, 0)) as detail
  from booked full join open using (account_id) where booked.credits is distinct from open.credits order by 1 limit ${limit}`

/** Every reservation was taken from the balances it names, and has exactly the ending its state says. */
export const wrongPostings: Check = (sql, limit) => sql`
  with posted as (
    select source_id, kind,
           coalesce(sum(credits) filter (where book = 'customer_paid'), 0) as paid,
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0) as starter,
           coalesce(sum(credits) filter (where book = 'reserved'), 0) as reserved,
           coalesce(sum(credits) filter (where book = 'revenue'), 0) as revenue
    from entry where kind not in ('grant', 'debit') group by source_id, kind
  )
  select format('reservation of %s is %s with %s paid and %s starter credits, which its entries do not say', task_id, state,
                reservation.paid, reservation.starter) as detail
  from reservation
  left join posted reserve on reserve.source_id = task_id and reserve.kind = 'reserve'
  left join posted settle on settle.source_id = task_id and settle.kind = 'settle'
  left join posted refund on refund.source_id = task_id and refund.kind = 'refund'
  where (reserve.paid, reserve.starter, reserve.reserved, reserve.revenue)
          is distinct from (-reservation.paid::numeric, -reservation.starter::numeric, (reservation.paid + reservation.starter)::numeric, 0::numeric)
     or (settle.source_id is not null) <> (state = 'settled')
     or (refund.source_id is not null) <> (state = 'refunded')
     or settle.revenue <> reservation.paid + reservation.starter or settle.reserved <> -(reservation.paid + reservation.starter)
     or (refund.paid, refund.starter, refund.reserved)
          <> (reservation.paid::numeric, reservation.starter::numeric, -(reservation.paid + reservation.starter)::numeric)
  order by 1 limit ${limit}`

/** Never more returned than was held, and only by a refund; starter credits never fund the API. */
export const wrongReservations: Check = (sql, limit) => sql`
  select format('reservation of %s: %s of %s credits refunded while %s, %s starter credits for %s', task_id, refunded, paid + starter, state, starter, surface) as detail
  from reservation
  where refunded > paid + starter or refunded <> case when state = 'refunded' then paid + starter else 0 end
     or (surface = 'api' and starter > 0) or paid < 0 or starter < 0 or (ended_at is null) = (state in ('settled', 'refunded'))
  order by 1 limit ${limit}`

/** No balance below nothing. */
export const negativeAccounts: Check = (sql, limit) => sql`
  select format('account %s has available %s, starter %s, unfinished %s', id, available, starter, unfinished) as detail
  from account where available < 0 or starter < 0 or unfinished < 0 order by 1 limit ${limit}`

/** Every entry belongs to a grant, a debit or a reservation of its own account. */
export const orphanedEntries: Check = (sql, limit) => sql`
  select distinct format('the %s entries of %s belong to no grant, debit or reservation of account %s', entry.kind, source_id, entry.account_id) as detail
  from entry
  left join reservation on entry.kind not in ('grant', 'debit') and task_id = source_id and reservation.account_id = entry.account_id
  left join credit_grant on entry.kind::text = credit_grant.kind and credit_grant.id = source_id and credit_grant.account_id = entry.account_id
  where reservation.task_id is null and credit_grant.id is null order by 1 limit ${limit}`

/** Every grant was issued to the balance it names, and every debit that was applied taken from it. */
export const wrongGrants: Check = (sql, limit) => sql`
  with issued as (
    select source_id, kind, coalesce(sum(credits) filter (where book = 'customer_paid'), 0) as paid,
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0) as starter
    from entry where kind in ('grant', 'debit') group by source_id, kind
  ), asked as (
    select *, case when not applied then null when kind = 'grant' then credits else -credits end::numeric as moved from credit_grant
  )
  select format('%s %s of %s %s credits: its entries say %s paid and %s starter', asked.kind, id, credits, balance, issued.paid, issued.starter) as detail
  from asked left join issued on source_id = id and issued.kind::text = asked.kind
  where (issued.paid, issued.starter) is distinct from
        (case balance when 'paid' then moved else moved * 0 end, case balance when 'starter' then moved else moved * 0 end)
  order by 1 limit ${limit}`

/** A pending refund is posted within moments. */
export const stuckRefunds: Check = (sql, limit, nowMs) => sql`
  select format('the refund of %s is pending since %s', task_id, changed_at) as detail
  from reservation where state = 'refund_pending' and changed_at < to_timestamp(${nowMs}::float8 / 1000) - interval '5 minutes' order by 1 limit ${limit}`

/** Nothing is generated for days: no verdict will come for these by itself. */
export const forgottenReservations: Check = (sql, limit, nowMs) => sql`
  select format('%s is reserved without a verdict since %s', task_id, reserved_at) as detail
  from reservation where state = 'reserved' and reserved_at < to_timestamp(${nowMs}::float8 / 1000) - interval '3 days' order by 1 limit ${limit}`

/** Verdicts that contradicted the books and that nobody has acknowledged. */
export const openContradictions: Check = (sql, limit) => sql`
  select case when detail is not null then format('%s was %s', task_id, detail)
              else format('%s was heard to be %s while its reservation of account %s was %s', task_id, verdict, account_id, coalesce(state::text, 'unknown'))
         end as detail
  from contradiction where acknowledged_at is null order by seen_at limit ${limit}`

/** Events reach the broker within a minute. */
export const stuckEvents: Check = (sql, limit, nowMs) => sql`
  select format('event %s of %s waits since %s', id, topic, created_at) as detail
  from outbox where created_at < to_timestamp(${nowMs}::float8 / 1000) - interval '1 minute' order by 1 limit ${limit}`

export type Checked = { accounts: number; grants: number; reservations: number; entries: number }

export async function countRows(sql: TransactionSql): Promise<Checked> {
  const [row] = await sql<Checked[]>`
    select (select count(*) from account) as accounts, (select count(*) from credit_grant) as grants,
           (select count(*) from reservation) as reservations, (select count(*) from entry) as entries`
  return row ?? { accounts: 0, grants: 0, reservations: 0, entries: 0 }
}

export type Finding = { check: string; detail: string }

export const insertAuditRun = (sql: Sql, findings: Finding[], checked: Checked) => sql`
  insert into audit_run (findings, checked) values (${sql.json(findings)}, ${sql.json(checked)})`

export type LastAudit = { findings: number; ageSeconds: number }

/** The last audit by whomever. */
export async function findLastAudit(sql: Sql): Promise<LastAudit | undefined> {
  const [row] = await sql<LastAudit[]>`
    select jsonb_array_length(findings)::int as findings, extract(epoch from now() - at)::float8 as "ageSeconds"
    from audit_run order by at desc limit 1`
  return row
}

export const deleteAuditRuns = (sql: Sql, keptDays: number) => sql`delete from audit_run where at < now() - ${keptDays} * interval '1 day'`
