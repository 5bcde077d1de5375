import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { madeWithin, type Range } from '../cost/range'

/** What of a model's attempts at a provider came to one end. `provider` is '' where none was asked. */
export type OutcomeCount = {
  provider: string
  model: string
  /** `open` where they have not ended. */
  state: string
  code: string | null
  attempts: number
  /** From the attempt to its end: the median and the 95th percentile. Null where open. */
  seconds: [number, number] | null
}

/** One statement over a range, so bounded by whoever asks. */
export const countOutcomes = (sql: Sql, range: Range) =>
  sql<OutcomeCount[]>`
    select provider, model, state, code, count(*)::int as attempts, percentile_cont(array[0.5, 0.95]) within group (order by seconds) as seconds
    from (
      select provider, model, case when ended_at is null then 'open' else state end as state, case when state in ('refused', 'failed') then code end as code,
             extract(epoch from ended_at - created_at)::float8 as seconds
      from attempt where ${madeWithin(sql, range)}
    ) as ends
    group by provider, model, state, code order by provider, model, attempts desc, code`

export type OutcomeFilter = Range & {
  provider?: string | undefined
  model?: string | undefined
  /** A state that ends an attempt, or `open`. */
  state?: string | undefined
  code?: string | undefined
  cursor?: string | undefined
  rowsMax: number
}

export type OutcomeAttempt = {
  id: string
  taskId: string
  accountId: string
  provider: string
  model: string
  state: string
  code: string | null
  cause: string | null
  createdAt: Date
  endedAt: Date | null
}

/** Newest first. */
export const listOutcomeAttempts = (sql: Sql, { provider, model, state, code, cursor, rowsMax, ...range }: OutcomeFilter) => {
  const equals = (column: Fragment, value: string | undefined) => (value === undefined ? sql`` : sql`and ${column} = ${value}`)
  return sql<OutcomeAttempt[]>`
    select id, task_id as "taskId", account_id as "accountId", provider, model, state, code, cause, created_at as "createdAt", ended_at as "endedAt"
    from attempt
    where ${madeWithin(sql, range)} ${cursor === undefined ? sql`` : sql`and id < ${cursor}`}
      ${equals(sql`provider`, provider)} ${equals(sql`model`, model)} ${equals(sql`code`, code)}
      ${state === 'open' ? sql`and ended_at is null` : equals(sql`state`, state)}
    order by id desc limit ${rowsMax}`
}
