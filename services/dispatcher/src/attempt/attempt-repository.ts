import type { Fragment, Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import { undocumentedGenerationMs } from '../providers/connector'
import { attemptJob } from './jobs'
import type { NewAttempt } from './plan-attempts'
import type { Transition } from './transition'

/** An attempt of an earlier version has no bound of its own. */
export const generationMsMaxColumn = (sql: Sql | TransactionSql): Fragment =>
  sql`coalesce(generation_ms_max, ${undocumentedGenerationMs}::int) as "generationMsMax"`

/** The columns of an `Attempt`, for every statement that reads one. */
export const attemptColumns = (sql: Sql | TransactionSql): Fragment => sql`
  id, task_id as "taskId", account_id as "accountId", number, provider, provider_model as "providerModel", model, state,
  provider_task_id as "providerTaskId", echoed, ${generationMsMaxColumn(sql)}, traceparent,
  output_key as "outputKey"`

/**
 * Where a cost is from. `told`: its provider's word. `listed`: its route's prices, for a video that was made and whose provider told nothing. `nothing`: no
 * provider took it. `unknown`: none of these, which is not 0.
 */
export type Basis = 'told' | 'listed' | 'nothing' | 'unknown'

/** Columns of an attempt's cost, for statements that read `attempt`: millionths of a US dollar, null exactly where the basis is `unknown`. */
export const costColumns = (sql: Sql | TransactionSql): Fragment => sql`
  case ${basis(sql)}
    when 'told' then ${toldMicroUsd(sql)}
    when 'listed' then listed_micro_usd
    when 'nothing' then 0
  end as "costMicroUsd", ${basis(sql)} as basis`

/** Of units whose price was not known only none at all has a cost. */
const toldMicroUsd = (sql: Sql | TransactionSql): Fragment => sql`
  case
    when billed_micro_usd is not null then billed_micro_usd
    when billed_micro_units = 0 then 0
    else round(billed_micro_units::numeric * unit_micro_usd / 1000000)::bigint
  end`

/** What an operator refunded may be billed all the same: only that no provider took it makes it cost nothing. */
const basis = (sql: Sql | TransactionSql): Fragment => sql`
  case
    when ${toldMicroUsd(sql)} is not null then 'told'
    when attempt.state = 'refused' and not exists (
      select from review_decision
      where review_decision.task_id = attempt.task_id and review_decision.attempt_id = attempt.id and decision = 'refund'
    ) then 'nothing'
    when output_key is not null and listed_micro_usd is not null then 'listed'
    else 'unknown'
  end`

/**
 * Inserts attempts and, for those to be sent, their jobs, leased to `owner`: one statement, so one round trip. Attempts whose task has one
 * of that number already are left alone: their order was delivered before. At this moment perhaps, to another dispatcher, under the same id:
 * no index is named, because a conflict at any other would be an error. Returns the ids that are new.
 */
export async function insertAttempts(
  sql: Sql | TransactionSql,
  attempts: NewAttempt[],
  { owner, leaseMs }: { owner: string; leaseMs: number },
): Promise<Set<string>> {
  const uploading = attempts.filter(({ uploads }) => uploads).map(({ id }) => id)
  const rows = await sql<{ id: string }[]>`
    with fresh as (
      insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, traceparent, absence_proves_at, code, cause,
                           order_topic, order_event, ended_at, credits, listed_micro_usd, unit_micro_usd, order_terms, generation_ms_max)
      select id, "taskId", "accountId", number, provider, "providerModel", model, state, traceparent, now() + "absenceAfterMs" * interval '1 millisecond',
             code, cause, case when state = 'sending' then "orderTopic" end, case when state = 'sending' then decode("orderEvent", 'hex') end,
             case when state = 'refused' then now() end, credits, "listedMicroUsd", "unitMicroUsd", decode("orderTerms", 'hex'), "generationMsMax"
      from ${recordset(
        sql,
        'row',
        {
          id: 'text',
          taskId: 'text',
          accountId: 'text',
          number: 'int',
          provider: 'text',
          providerModel: 'text',
          model: 'text',
          state: 'text',
          traceparent: 'text',
          absenceAfterMs: 'float8',
          generationMsMax: 'int',
          code: 'text',
          cause: 'text',
          orderTopic: 'text',
          orderEvent: 'text',
          ...{ credits: 'bigint', listedMicroUsd: 'bigint', unitMicroUsd: 'bigint', orderTerms: 'text' },
        },
        attempts.map(({ source, orderTerms, uploads: _, ...attempt }) => ({
          ...attempt,
          orderTopic: source.topic,
          orderEvent: Buffer.from(source.bytes).toString('hex'),
          orderTerms: orderTerms && Buffer.from(orderTerms).toString('hex'),
        })),
      )}
      on conflict do nothing
      returning id, account_id, state
    ), leased as (
      insert into job (kind, id, fairness_key, payload, owner, lease_until, epoch, tries)
      select ${attemptJob}, id, account_id, case when id = any(${uploading}::text[]) then '{"uploading": true}' else '{}' end::jsonb,
             ${owner}, now() + ${leaseMs}::float8 * interval '1 millisecond', 1, 1
      from fresh where state = 'sending'
    )
    select id from fresh`
  return new Set(rows.map(row => row.id))
}

/**
 * From now on its submit may be sent, because its inputs are uploaded; false where the lease is another's. Until then whoever takes over what a
 * sender left knows that nothing was.
 */
export async function endUploading(sql: Sql, { kind, id, epoch }: Job): Promise<boolean> {
  const { count } = await sql`update job set payload = payload - 'uploading' where kind = ${kind} and id = ${id} and epoch = ${epoch}`
  return count === 1
}

/** Its provider has answered; what is to be written of it waits for something else. */
export const markAnswered = ({ sql, job: { kind, id, epoch } }: { sql: Sql; job: Job }) =>
  sql`update job set payload = payload || '{"answered": true}' where kind = ${kind} and id = ${id} and epoch = ${epoch}`

/** The job that is inserted with an attempt, leased to whoever inserts it. */
export const leasedJob = ({ id, accountId }: { id: string; accountId: string }): Job<object> => ({
  kind: attemptJob,
  id,
  fairnessKey: accountId,
  payload: {},
  epoch: 1,
  tries: 1,
})

/** In millionths of a US dollar; null where the attempt was not changed, or nothing is known. */
export type KnownCost = { basis: Basis | null; costMicroUsd: number | null }
/** By job. */
export type Written = ReadonlyMap<string, KnownCost>

/**
 * Writes the transitions of attempts that are still in the state they were read in and whose job's lease is still held, with what happens to
 * those jobs; inserts of `events` those whose subject is such a job. One statement, so one round trip; the locks of the jobs keep others from writing meanwhile.
 * Returns the ids of those jobs, each with what its attempt is known to cost now.
 */
export async function transitionAttempts(sql: Sql | TransactionSql, transitions: Transition[], events: Fragment): Promise<Written> {
  const rows = await sql<({ jobId: string } & KnownCost)[]>`
    with held as (
      select given.*
      from ${recordset(
        sql,
        'given',
        {
          jobKind: 'text',
          jobId: 'text',
          epoch: 'bigint',
          again: 'boolean',
          ends: 'boolean',
          afterMs: 'float8',
          payload: 'jsonb',
          reset: 'boolean',
          attemptId: 'text',
          oldState: 'text',
          state: 'text',
          changes: 'boolean',
          providerTaskId: 'text',
          providerTaskIdDisputed: 'boolean',
          code: 'text',
          cause: 'text',
          absenceAfterMs: 'float8',
          senderLost: 'boolean',
          echoed: 'boolean',
          operatorAccepted: 'boolean',
          absence: 'text',
          unclear: 'text',
          heldForReview: 'boolean',
          outputKey: 'text',
          outputBytes: 'bigint',
          outputSha256: 'text',
          outputRetentionMs: 'float8',
          ...{ delivery: 'jsonb', dueCredits: 'bigint' },
          billedMicroUsd: 'bigint',
          billedMicroUnits: 'bigint',
        },
        transitions.map(transitionRow),
      )}
      join job on job.kind = given."jobKind" and job.id = given."jobId" and job.epoch = given.epoch
      join attempt on attempt.id = given."attemptId" and attempt.state = given."oldState"
      order by job.kind, job.id for update of job, attempt
    ), rescheduled as (
      update job set owner = null, lease_until = null, run_at = now() + held."afterMs" * interval '1 millisecond',
        payload = coalesce(held.payload, job.payload), tries = case when held.reset then 0 else job.tries end
      from held where held.again and job.kind = held."jobKind" and job.id = held."jobId"
    ), ended as (
      delete from job using held where held.ends and job.kind = held."jobKind" and job.id = held."jobId"
    ), changed as (
      update attempt set
        state = held.state,
        provider_task_id = coalesce(held."providerTaskId", attempt.provider_task_id),
        provider_task_id_disputed = held."providerTaskId" is null and coalesce(held."providerTaskIdDisputed", attempt.provider_task_id_disputed),
        code = coalesce(held.code, attempt.code),
        cause = coalesce(held.cause, attempt.cause),
        absence_proves_at = coalesce(now() + held."absenceAfterMs" * interval '1 millisecond', attempt.absence_proves_at),
        echoed = coalesce(held.echoed, attempt.echoed),
        operator_accepted = coalesce(held."operatorAccepted", attempt.operator_accepted),
        absence_first_at = case
          when held.absence = 'cleared' then null
          when held.absence = 'counts' and attempt.absence_count = 0 then now()
          when held.absence is not null then coalesce(attempt.absence_first_at, now())
          else attempt.absence_first_at
        end,
        absence_last_at = case held.absence when 'cleared' then null when 'counts' then now() when 'uncounted' then now() else attempt.absence_last_at end,
        absence_count = case held.absence when 'cleared' then 0 when 'counts' then attempt.absence_count + 1 when 'uncounted' then 0 else attempt.absence_count end,
        unclear_since = case held.unclear when 'seen' then coalesce(attempt.unclear_since, now()) when 'cleared' then null else attempt.unclear_since end,
        sender_lost = coalesce(held."senderLost", attempt.sender_lost),
        order_event = case
          when held.state in ('sending', 'unknown') or (held.state = 'accepted' and attempt.order_topic = 'media') then attempt.order_event
        end,
        output_key = coalesce(held."outputKey", attempt.output_key),
        output_bytes = coalesce(held."outputBytes", attempt.output_bytes),
        output_sha256 = coalesce(held."outputSha256", attempt.output_sha256),
        delivery = coalesce(held.delivery, attempt.delivery),
        due_credits = coalesce(held."dueCredits", attempt.due_credits),
        billed_micro_usd = coalesce(held."billedMicroUsd", attempt.billed_micro_usd),
        billed_micro_units = coalesce(held."billedMicroUnits", attempt.billed_micro_units),
        output_expires_at = coalesce(now() + held."outputRetentionMs" * interval '1 millisecond', attempt.output_expires_at),
        accepted_at = case when held.state = 'accepted' then coalesce(attempt.accepted_at, now()) else attempt.accepted_at end,
        copying_since = case
          when held.state = 'copying' and (attempt.state <> 'copying' or not held."heldForReview") then now()
          else attempt.copying_since
        end,
        review_since = case
          when held.state in ('unknown', 'overdue') or held."heldForReview" then coalesce(attempt.review_since, now())
          when held.state = 'copying' and attempt.state = 'copying' and held."heldForReview" is null then attempt.review_since
        end,
        ended_at = case when held.state in ('refused', 'completed', 'failed') then now() end,
        updated_at = now()
      from held where held.changes and attempt.id = held."attemptId"
      returning attempt.id, ${costColumns(sql)}
    ), sent as (${events} where event.subject in (select "jobId" from held))
    select "jobId", changed.basis, changed."costMicroUsd" from held left join changed on changed.id = held."attemptId"`
  return new Map(rows.map(({ jobId, ...cost }) => [jobId, cost]))
}

/** Which attempt has which of these providers' ids. */
export const findIdOwners = (sql: Sql, ids: { provider: string; providerTaskId: string }[]) =>
  sql<{ provider: string; providerTaskId: string; attemptId: string }[]>`
    select attempt.provider, attempt.provider_task_id as "providerTaskId", attempt.id as "attemptId"
    from ${recordset(sql, 'named', { provider: 'text', providerTaskId: 'text' }, ids)}
    join attempt on attempt.provider = named.provider and attempt.provider_task_id = named."providerTaskId" and not attempt.provider_task_id_disputed`

/** A transition would write a provider's id that another attempt has. */
export const isIdTaken = (error: unknown): boolean =>
  error instanceof Error && 'constraint_name' in error && error.constraint_name === 'attempt_provider_task_id'

function transitionRow({ job, attempt, to, columns, after }: Transition) {
  const again = after.next === 'again' ? after : undefined
  return {
    jobKind: job.kind,
    jobId: job.id,
    epoch: job.epoch,
    again: again !== undefined,
    ends: after.next !== 'again' && after.next !== 'as-planned',
    afterMs: again?.afterMs,
    payload: again?.payload,
    reset: again?.resetTries,
    attemptId: attempt.id,
    oldState: attempt.state,
    state: to ?? attempt.state,
    changes: to !== undefined || columns !== undefined,
    ...columns,
  }
}
