import type { TransactionSql } from '@filmgate/kit/database/postgres'
import type { Caps, Subject } from '../budgets/budget'
import type { NewChange } from '../credit-changes/credit-change'
import type { Tags } from '../tags/read-tags'

type Since = { since: Date; after: string; rowsMax: number }

export type ReplayedAccount = { id: string; name: string; createdAt: Date; limitsVersion: number; unfinishedTasksMax: number | null }

/** Accounts behind `after` that were opened since then, that have limits of their own, or a budget that was set since then. */
export const listAccountsToReplay = (sql: TransactionSql, { since, after, rowsMax }: Since) =>
  sql<ReplayedAccount[]>`
    select id, name, created_at as "createdAt", limits_version as "limitsVersion", unfinished_tasks_max as "unfinishedTasksMax"
    from account
    where id > ${after} and (created_at >= ${since} or limits_version > 0
      or exists (select from budget where budget.account_id = account.id and set_at >= ${since}))
    order by id limit ${rowsMax}`

type ReplayedBudget = Subject & { caps: Caps; timeZone: string; version: number; at: Date }

export async function listBudgetsSince(sql: TransactionSql, accountIds: string[], since: Date): Promise<ReplayedBudget[]> {
  const rows = await sql<(Omit<ReplayedBudget, 'caps'> & Caps)[]>`
    select account_id as "accountId", scope, subject_id as "subjectId", total_max as total, day_max as day, month_max as month, version,
           set_at as at, time_zone as "timeZone"
    from budget join account on account.id = account_id
    where account_id = any(${accountIds}::text[]) and set_at >= ${since} order by account_id, version`
  return rows.map(({ total, day, month, ...budget }) => ({ ...budget, caps: { total, day, month } }))
}

/** Grants and debits behind `after` that were asked for since then. */
export const listChangesSince = (sql: TransactionSql, { since, after, rowsMax }: Since) =>
  sql<NewChange[]>`
    select id, kind, account_id as "accountId", balance, credits, reason, operator, beyond_balance as "beyondBalance", asked_at as "askedAt"
    from credit_change where id > ${after} and asked_at >= ${since} order by id limit ${rowsMax}`

export type HeldTask = {
  id: string
  accountId: string
  keyId: string
  surface: string
  model: string
  mode: string
  resolution: string
  billedSeconds: number
  priceVersion: string
  creditsUsed: number
  starter: number
  idempotencyKey: string
  fingerprint: Buffer
  tags: Tags | null
  createdAt: Date
  admitBy: Date
  /** Its request, of a task that has not ended. */
  event: Uint8Array | null
}

/** Tasks behind `after` whose credits the ledger has held and of which something came since then. `starter`: as the reservation took them. */
export const listHeldSince = (sql: TransactionSql, { since, after, rowsMax }: Since) =>
  sql<HeldTask[]>`
    select task.id, task.account_id as "accountId", task.key_id as "keyId", task.surface, task.model, task.mode, task.resolution,
           task.billed_seconds as "billedSeconds", task.price_version as "priceVersion", credits_used as "creditsUsed",
           coalesce(-usage.starter, 0)::float8 as starter, idempotency_key as "idempotencyKey", fingerprint, task.tags,
           task.created_at as "createdAt", admit_by as "admitBy", task_request.event
    from task
    left join task_request on task_id = task.id
    left join usage_entry as usage on usage.task_id = task.id and usage.kind = 'reservation'
    where task.id > ${after} and task.updated_at >= ${since} and billing_status is not null and credits_used > 0
    order by task.id limit ${rowsMax}`
