import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { type Basis, costColumns } from '../attempt/attempt-repository'
import { madeWithin, type Range } from './range'

/** Without a provider or an account: of all. */
type CostFilter = Range & { provider?: string | undefined; accountId?: string | undefined }

const within = (sql: Sql, { provider, accountId, ...range }: CostFilter): Fragment => sql`
  ${madeWithin(sql, range)} and ${provider === undefined ? sql`provider <> ''` : sql`provider = ${provider}`}
  ${accountId === undefined ? sql`` : sql`and account_id = ${accountId}`}`

/** Sums over the attempts of one model at one provider; `open` ones are in no other sum. Money in millionths of a US dollar. */
export type CostSums = {
  provider: string
  model: string
  attempts: number
  open: number
  completed: number
  /** Ended attempts whose cost, or whose credits, are not known; and what their clients paid. */
  unknown: number
  unknownCredits: number
  /** Of all others. */
  credits: number
  toldMicroUsd: number
  listedMicroUsd: number
  /** Of those costs: for attempts that brought nothing. */
  lostMicroUsd: number
}

/** One statement over a range, so bounded by whoever asks. */
export const sumCosts = (sql: Sql, range: CostFilter) =>
  sql<CostSums[]>`
    with costed as (
      select provider, model, state, coalesce(due_credits, credits) as credits, ended_at is null as is_open, ${costColumns(sql)} from attempt where ${within(sql, range)}
    ), judged as (
      select *, not is_open and basis <> 'unknown' and (state <> 'completed' or credits is not null) as is_known from costed
    )
    select provider, model, count(*) as attempts,
      count(*) filter (where is_open) as open,
      count(*) filter (where state = 'completed') as completed,
      count(*) filter (where not is_open and not is_known) as unknown,
      coalesce(sum(credits) filter (where state = 'completed' and not is_known), 0)::bigint as "unknownCredits",
      coalesce(sum(credits) filter (where state = 'completed' and is_known), 0)::bigint as credits,
      coalesce(sum("costMicroUsd") filter (where is_known and basis = 'told'), 0)::bigint as "toldMicroUsd",
      coalesce(sum("costMicroUsd") filter (where is_known and basis = 'listed'), 0)::bigint as "listedMicroUsd",
      coalesce(sum("costMicroUsd") filter (where is_known and state <> 'completed'), 0)::bigint as "lostMicroUsd"
    from judged group by provider, model order by provider, model`

export type AttemptCost = {
  id: string
  taskId: string
  model: string
  providerModel: string
  providerTaskId: string | null
  state: string
  createdAt: Date
  credits: number | null
  costMicroUsd: number | null
  basis: Basis
}

/** Attempts at one provider, oldest first; `after` is the id that the portion before ended with. */
export const findAttemptCosts = (sql: Sql, { after, rowsMax, ...range }: Range & { provider: string; after: string; rowsMax: number }) =>
  sql<AttemptCost[]>`
    select id, task_id as "taskId", model, provider_model as "providerModel", provider_task_id as "providerTaskId", state, created_at as "createdAt",
           coalesce(due_credits, credits) as credits, ${costColumns(sql)}
    from attempt where ${within(sql, range)} and id > ${after}
    order by id limit ${rowsMax}`
