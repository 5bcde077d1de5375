import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Scope } from './scope'

/** What a broken invariant looks like: what is wrong, with the ids to look at. */
export type Detail = { detail: string }
type Check = (sql: TransactionSql, scope: Scope, limit: number) => PromiseLike<Detail[]>

/** Entries of one transaction sum to zero. */
export const unbalancedTransactions: Check = (sql, scope, limit) => sql`
  select format('%s entries of %s sum to %s', kind, source_id, sum(credits)) as detail
  from entry where ${scope.source(sql`source_id`)} group by source_id, kind having sum(credits) <> 0 order by 1 limit ${limit}`

/** All books together sum to zero. */
export const unbalancedBooks: Check = (sql, scope) => sql`
  select format('all entries sum to %s', sum(credits)) as detail from entry where ${scope.source(sql`source_id`)} having sum(credits) <> 0`

/** An account's balances are what its entries sum up to. */
export const wrongBalances: Check = (sql, scope, limit) => sql`
  with booked as (${scope.booked}), known as (select * from account where ${scope.account(sql`id`)})
  select format('account %s has available %s and starter %s and owes %s, its entries say %s and %s and %s', coalesce(id, account_id),
                known.available, known.starter, known.owed, coalesce(paid, 0), coalesce(booked.starter, 0), coalesce(booked.owed, 0)) as detail
  from known full join booked on account_id = id
  where known.available is distinct from coalesce(paid, 0) or known.starter is distinct from coalesce(booked.starter, 0)
     or known.owed is distinct from coalesce(booked.owed, 0)
  order by 1 limit ${limit}`

/** An account's unfinished tasks are its open reservations. */
export const wrongUnfinished: Check = (sql, scope, limit) => sql`
  with open as (
    select account_id, count(*) as tasks from reservation where state in ('reserved', 'review', 'refund_pending') group by account_id
  )
  select format('account %s counts %s unfinished tasks, %s of its reservations are open', id, unfinished, coalesce(tasks, 0)) as detail
  from account left join open on account_id = id
  where ${scope.account(sql`id`)} and unfinished <> coalesce(tasks, 0) order by 1 limit ${limit}`

/** What is held for an account is what its open reservations hold. */
export const wrongReserved: Check = (sql, scope, limit) => sql`
  with booked as (${scope.booked}), open as (
    select account_id, sum(paid + starter) as credits
    from reservation
    where state in ('reserved', 'review', 'refund_pending') and ${scope.account(sql`account_id`)} group by account_id
  )
  select format('account %s: book reserved says %s, open reservations hold %s', account_id,
                coalesce(reserved, 0), coalesce(credits, 0)) as detail
  from booked full join open using (account_id) where coalesce(reserved, 0) <> coalesce(credits, 0) order by 1 limit ${limit}`

/**
 * Every reservation was taken from the balances it names, and has exactly the ending its state says: what a settlement did not charge
 * returned, paid credits first.
 */
export const wrongPostings: Check = (sql, scope, limit) => sql`
  with posted as (
    select source_id, kind,
           coalesce(sum(credits) filter (where book = 'customer_paid'), 0) as paid,
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0) as starter,
           coalesce(sum(credits) filter (where book = 'reserved'), 0) as reserved,
           coalesce(sum(credits) filter (where book = 'revenue'), 0) as revenue
    from entry where kind not in ('grant', 'debit') and ${scope.source(sql`source_id`)} group by source_id, kind
  )
  select format('reservation of %s is %s with %s paid and %s starter credits, which its entries do not say', task_id, state,
                reservation.paid, reservation.starter) as detail
  from reservation
  left join posted reserve on reserve.source_id = task_id and reserve.kind = 'reserve'
  left join posted settle on settle.source_id = task_id and settle.kind = 'settle'
  left join posted refund on refund.source_id = task_id and refund.kind = 'refund'
  where ${scope.source(sql`task_id`)} and (
     (reserve.paid, reserve.starter, reserve.reserved, reserve.revenue)
          is distinct from (-reservation.paid::numeric, -reservation.starter::numeric, (reservation.paid + reservation.starter)::numeric, 0::numeric)
     or (settle.source_id is not null) <> (state = 'settled')
     or (refund.source_id is not null) <> (state = 'refunded')
     or (settle.paid, settle.starter, settle.reserved, settle.revenue)
          <> (least(refunded, reservation.paid)::numeric, greatest(refunded - reservation.paid, 0)::numeric,
              -(reservation.paid + reservation.starter)::numeric, (reservation.paid + reservation.starter - refunded)::numeric)
     or (refund.paid, refund.starter, refund.reserved)
          <> (reservation.paid::numeric, reservation.starter::numeric, -(reservation.paid + reservation.starter)::numeric))
  order by 1 limit ${limit}`

/** Never more returned than was held: all by a refund, all or a part by a settlement; starter credits never fund the API. */
export const wrongReservations: Check = (sql, scope, limit) => sql`
  select format('reservation of %s: %s of %s credits refunded while %s, %s starter credits for %s', task_id, refunded, paid + starter, state, starter, surface) as detail
  from reservation
  where ${scope.source(sql`task_id`)} and (
     refunded > paid + starter or not case state when 'refunded' then refunded = paid + starter when 'settled' then refunded >= 0 else refunded = 0 end
     or (surface = 'api' and starter > 0) or paid < 0 or starter < 0 or (ended_at is null) = (state in ('settled', 'refunded')))
  order by 1 limit ${limit}`

/** No balance below nothing. */
export const negativeAccounts: Check = (sql, scope, limit) => sql`
  select format('account %s has available %s, starter %s, owed %s, unfinished %s', id, available, starter, owed, unfinished) as detail
  from account where ${scope.account(sql`id`)} and (available < 0 or starter < 0 or owed < 0 or unfinished < 0) order by 1 limit ${limit}`

/** Every entry belongs to a grant, a debit or a reservation of its own account. */
export const orphanedEntries: Check = (sql, scope, limit) => sql`
  select distinct format('the %s entries of %s belong to no grant, debit or reservation of account %s', entry.kind, source_id, entry.account_id) as detail
  from entry
  left join reservation on entry.kind not in ('grant', 'debit') and task_id = source_id and reservation.account_id = entry.account_id
  left join credit_grant on entry.kind::text = credit_grant.kind and credit_grant.id = source_id and credit_grant.account_id = entry.account_id
  where ${scope.source(sql`source_id`)} and reservation.task_id is null and credit_grant.id is null order by 1 limit ${limit}`

/** Every grant was issued to the balance it names, and every debit that was applied taken from it. */
export const wrongGrants: Check = (sql, scope, limit) => sql`
  with issued as (
    select source_id, kind, coalesce(sum(credits) filter (where book = 'customer_paid'), 0) as paid,
           coalesce(sum(credits) filter (where book = 'customer_starter'), 0) as starter,
           coalesce(sum(credits) filter (where book = 'owed'), 0) as owed
    from entry where kind in ('grant', 'debit') and ${scope.source(sql`source_id`)} group by source_id, kind
  ), asked as (
    select *, case when not applied then null when kind = 'grant' then credits - owed else owed - credits end::numeric as moved,
           case when not applied then null when kind = 'grant' then owed else -owed end::numeric as moved_owed
    from credit_grant where ${scope.source(sql`id`)}
  )
  select format('%s %s of %s %s credits: its entries say %s paid, %s starter and %s owed', asked.kind, id, credits, balance, issued.paid, issued.starter, issued.owed) as detail
  from asked left join issued on source_id = id and issued.kind::text = asked.kind
  where (issued.paid, issued.starter, issued.owed) is distinct from
        (case balance when 'paid' then moved else moved * 0 end, case balance when 'starter' then moved else moved * 0 end, moved_owed)
     or asked.owed < 0 or asked.owed > credits or (asked.owed > 0 and (balance <> 'paid' or not applied or (asked.kind = 'debit' and not beyond_balance)))
  order by 1 limit ${limit}`

/** What is counted against budgets is what the counted reservations hold and were charged, in each of their periods. */
export const wrongSpend: Check = (sql, scope, limit) => sql`
  with counted as (
    select account_id, spend_day, key_id, member_id, paid + starter - refunded as credits
    from reservation where spend_day is not null and ${scope.account(sql`account_id`)}
  ), subject as (
    select account_id, 'account' as scope, account_id as subject_id, spend_day, credits from counted
    union all select account_id, 'key', key_id, spend_day, credits from counted where key_id is not null
    union all select account_id, 'member', member_id, spend_day, credits from counted where member_id is not null
  ), summed as (
    select account_id, scope, subject_id, period, sum(credits) as credits
    from subject cross join lateral (values ('total'), (left(spend_day, 7)), (spend_day)) as of_day (period)
    group by account_id, scope, subject_id, period
  ), known as (select * from budget_spend where ${scope.account(sql`account_id`)})
  select format('the %s %s of account %s has spent %s in %s, its reservations say %s', scope, subject_id, account_id,
                coalesce(spent, 0), period, coalesce(credits, 0)) as detail
  from known full join summed using (account_id, scope, subject_id, period)
  where coalesce(spent, 0) <> coalesce(credits, 0) order by 1 limit ${limit}`
