import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import type { Attempt, DueAttempt, State } from './attempt'

export type NewAttempt = {
  id: string
  taskId: string
  accountId: string
  number: number
  maker: string
  makerModel: string
  model: string
  state: 'sending' | 'refused'
  traceparent: string | null
  /** From now until a look-up that finds nothing proves something. */
  absenceAfterMs: number
  code: string | null
  cause: string | null
}

/** Attempts whose task has one of that number already are left alone: their order was delivered before. Returns the ids that are new. */
export async function insertAttempts(sql: TransactionSql, attempts: NewAttempt[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    insert into attempt (id, task_id, account_id, number, maker, maker_model, model, state, traceparent, absence_proves_at, code, cause, ended_at)
    select id, task_id, account_id, number, maker, maker_model, model, state, traceparent, now() + absence_after_ms * interval '1 millisecond',
           code, cause, case when state = 'refused' then now() end
    from unnest(${attempts.map(one => one.id)}::text[], ${attempts.map(one => one.taskId)}::text[], ${attempts.map(one => one.accountId)}::text[],
                ${attempts.map(one => one.number)}::int[], ${attempts.map(one => one.maker)}::text[], ${attempts.map(one => one.makerModel)}::text[],
                ${attempts.map(one => one.model)}::text[], ${attempts.map(one => one.state)}::text[], ${attempts.map(one => one.traceparent)}::text[],
                ${attempts.map(one => one.absenceAfterMs)}::float8[], ${attempts.map(one => one.code)}::text[], ${attempts.map(one => one.cause)}::text[])
      as row (id, task_id, account_id, number, maker, maker_model, model, state, traceparent, absence_after_ms, code, cause)
    on conflict (task_id, number) do nothing
    returning id`
  return new Set(rows.map(row => row.id))
}

export const findDueAttempts = (sql: Sql, ids: string[]) =>
  sql<DueAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", number, maker, maker_model as "makerModel", model, state,
           maker_task_id as "makerTaskId", traceparent, output_key as "outputKey",
           absence_proves_at <= now() as "absenceProves",
           (extract(epoch from absence_proves_at - now()) * 1000)::float8 as "absenceProvesInMs",
           coalesce(extract(epoch from now() - accepted_at) * 1000, 0)::float8 as "acceptedMsAgo"
    from attempt where id = any(${ids}::text[])`

/** What a move writes beside the state; undefined leaves the column as it is. */
export type Columns = {
  makerTaskId?: string
  code?: string
  cause?: string
  absenceAfterMs?: number
  outputKey?: string
  outputBytes?: number
  outputSha256?: string
  outputRetentionMs?: number
}

export type AttemptChange = { id: string; from: State; to: State; columns: Columns }

/** Moves attempts that are still in the state they were read in; returns the ids that were. */
export async function changeAttempts(sql: TransactionSql, changes: AttemptChange[]): Promise<Set<string>> {
  const column = <K extends keyof Columns>(name: K) => changes.map(({ columns }) => columns[name] ?? null)
  const rows = await sql<{ id: string }[]>`
    update attempt set
      state = new.state,
      maker_task_id = coalesce(new.maker_task_id, attempt.maker_task_id),
      code = coalesce(new.code, attempt.code),
      cause = coalesce(new.cause, attempt.cause),
      absence_proves_at = coalesce(now() + new.absence_after_ms * interval '1 millisecond', attempt.absence_proves_at),
      output_key = coalesce(new.output_key, attempt.output_key),
      output_bytes = coalesce(new.output_bytes, attempt.output_bytes),
      output_sha256 = coalesce(new.output_sha256, attempt.output_sha256),
      output_expires_at = coalesce(now() + new.output_retention_ms * interval '1 millisecond', attempt.output_expires_at),
      accepted_at = case when new.state = 'accepted' then coalesce(attempt.accepted_at, now()) else attempt.accepted_at end,
      review_since = case when new.state in ('unknown', 'overdue') then coalesce(attempt.review_since, now()) end,
      ended_at = case when new.state in ('refused', 'completed', 'failed') then now() end,
      updated_at = now()
    from unnest(${changes.map(one => one.id)}::text[], ${changes.map(one => one.from)}::text[], ${changes.map(one => one.to)}::text[],
                ${column('makerTaskId')}::text[], ${column('code')}::text[], ${column('cause')}::text[], ${column('absenceAfterMs')}::float8[],
                ${column('outputKey')}::text[], ${column('outputBytes')}::bigint[], ${column('outputSha256')}::text[], ${column('outputRetentionMs')}::float8[])
      as new (id, old_state, state, maker_task_id, code, cause, absence_after_ms, output_key, output_bytes, output_sha256, output_retention_ms)
    where attempt.id = new.id and attempt.state = new.old_state
    returning attempt.id`
  return new Set(rows.map(row => row.id))
}

/** Age in seconds of the oldest attempt held for review, and how many there are. */
export async function measureReviews(sql: Sql): Promise<{ count: number; oldestSeconds: number }> {
  const [row] = await sql<{ count: number; oldestSeconds: number }[]>`
    select count(*) as count, coalesce(extract(epoch from now() - min(review_since)), 0)::float8 as "oldestSeconds"
    from attempt where review_since is not null`
  return row ?? { count: 0, oldestSeconds: 0 }
}

export type ShownAttempt = Attempt & {
  code: string | null
  cause: string | null
  createdAt: Date
  acceptedAt: Date | null
  reviewSince: Date | null
  endedAt: Date | null
  outputBytes: number | null
  outputSha256: string | null
}

export const findAttemptsOfTask = (sql: Sql, taskId: string) =>
  sql<ShownAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", number, maker, maker_model as "makerModel", model, state,
           maker_task_id as "makerTaskId", traceparent, output_key as "outputKey", code, cause, created_at as "createdAt",
           accepted_at as "acceptedAt", review_since as "reviewSince", ended_at as "endedAt", output_bytes as "outputBytes", output_sha256 as "outputSha256"
    from attempt where task_id = ${taskId} order by number`
