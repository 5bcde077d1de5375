import type { Fragment, Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import type { Job } from '@filmgate/kit/jobs/job-repository'
import type { DueAttempt } from '../attempt/attempt'
import { attemptColumns } from '../attempt/attempt-repository'
import { attemptJob } from '../attempt/jobs'
import type { Budget, Cadence, PollCadence } from '../providers/connector'
import { askersAfter, placed } from './turns'

/** When an attempt is asked about again if nothing else is decided, and how many may be, by its provider. */
export type ProviderPace = {
  provider: string
  poll: PollCadence
  lookUp: Cadence
  budget: Budget
  /** How many attempts this process asks it about at this moment. */
  asking: number
  /** How many more it may begin to ask it about. */
  placesLeft: number
}

export type TakeLimits = {
  /** Who takes: one process. */
  owner: string
  limit: number
  overdueMs: number
  unknownProviderMs: number
  generationTimeoutMs: number
}

/** `lateMs`: since its time came, with what it waited for its provider. `troubled`: some call to its provider got no answer since the last one that did. */
export type Taken = { attempt: DueAttempt; job: Job; lateMs: number; troubled: boolean }

type TakenRow = DueAttempt & { jobId: string; epoch: number; tries: number; fairnessKey: string; lateMs: number; troubled: boolean }
type Row = TakenRow & { granted: boolean }

/**
 * Takes up to `limit` attempts whose time has come. Asking about one harms nothing, so there is no lease: its next time is set at once,
 * and a poll that changes nothing writes nothing more. Only a sender's lease that ended is taken over, under a new epoch. One whose
 * provider is not configured is due again after `unknownProviderMs`; a job without an attempt is deleted. Those that their provider has no turn or no
 * place for now are not taken, but due again at their turn: `postponed` counts them.
 */
export async function takeDueAttempts(sql: Sql, paces: ProviderPace[], limits: TakeLimits): Promise<{ taken: Taken[]; postponed: number }> {
  const rows = await sql<Row[]>`
    with pace as (select * from ${pacesOf(sql, paces)}),
    claimed as (
      select id, epoch, tries, lease_until, greatest(run_at, coalesce(lease_until, run_at)) as due_at, payload->>'calledBackAs' as called_back_as,
        payload ? 'uploading' as uploading, payload ? 'hasTurn' as has_turn, payload ? 'dueAt' as waited,
        coalesce((payload->>'dueAt')::timestamptz, greatest(run_at, coalesce(lease_until, run_at))) as first_due_at
      from job
      where kind = ${attemptJob} and greatest(run_at, coalesce(lease_until, run_at)) <= now()
      order by greatest(run_at, coalesce(lease_until, run_at)) limit ${limits.limit} for update skip locked
    ), due as (
      select * from claimed limit ${plannedRows(sql, limits.limit)}
    ), found as (
      select due.id as due_id, due.due_at, due.first_due_at, due.has_turn, due.waited, due.called_back_as, due.uploading, due.lease_until,
        due.epoch as old_epoch, due.epoch + (due.lease_until is not null)::int as new_epoch, due.tries as old_tries, attempt.*,
        ${waitMs(sql, limits)} as wait_ms, "perSecond", room, asking, "placesLeft",
        -- Nobody is asked where there is no provider; a sender that ended, and what ran out of time, is told of whether its provider can be asked or not.
        coalesce("perSecond" is not null and attempt.state <> 'sending'
          and not (attempt.state = 'accepted' and attempt.accepted_at <= now() - ${limits.generationTimeoutMs}::float8 * interval '1 millisecond'),
          false) as takes_turn
      from due left join attempt on attempt.id = due.id left join pace on pace.provider = attempt.provider
    ), ${placed(sql, limits.owner)}, ${askersAfter(sql, limits.owner)}, moved as (
      update job set
        owner = case when granted then null else job.owner end, lease_until = case when granted then null else job.lease_until end,
        epoch = case when granted then new_epoch else old_epoch end, tries = old_tries + granted::int,
        payload = case
          when not granted then job.payload - 'hasTurn' || jsonb_build_object('dueAt', first_due_at) || case when keeps_turn then '{"hasTurn": true}' else '{}' end::jsonb
          when waited then job.payload - 'hasTurn' - 'dueAt'
          else job.payload
        end,
        run_at = case when granted then now() + wait_ms * interval '1 millisecond' else turn end
      from placed where job.kind = ${attemptJob} and job.id = placed.due_id
      returning placed.*
    )
    select due_id as "jobId", granted, new_epoch as epoch, old_tries + 1 as tries, coalesce(account_id, '') as "fairnessKey",
           coalesce(troubled, false) as troubled, (extract(epoch from now() - first_due_at) * 1000)::float8 as "lateMs",
           ${attemptColumns(sql)},
           sender_lost as "senderLost", operator_accepted as "operatorAccepted", called_back_as as "calledBackAs",
           uploading,
           created_at as "createdAt", absence_proves_at <= now() as "absenceProves",
           coalesce(extract(epoch from now() - accepted_at) * 1000, 0)::float8 as "acceptedMsAgo", absence_count as "absenceCount",
           phase, queue_position as "queuePosition", percent,
           (extract(epoch from now() - absence_first_at) * 1000)::float8 as "absenceFirstMsAgo",
           (extract(epoch from now() - absence_last_at) * 1000)::float8 as "absenceLastMsAgo"
    from moved`
  const taken = rows.filter(({ granted }) => granted)
  return { taken: taken.map(takenOf), postponed: rows.length - taken.length }
}

/**
 * A limit that cuts nothing off, in the statement's own text: where it is a parameter, Postgres plans for a tenth of the table and reads every attempt to join
 * so many. A power of two, so that there are few statements to prepare.
 */
const plannedRows = (sql: Sql, limit: number): Fragment =>
  sql.unsafe(String(2 ** Math.ceil(Math.log2(Math.max(1, limit))))) as unknown as Fragment

const takenOf = ({ jobId, epoch, tries, fairnessKey, lateMs, troubled, granted: _, ...attempt }: Row): Taken => ({
  attempt,
  job: { kind: attemptJob, id: jobId, fairnessKey, payload: {}, epoch, tries },
  lateMs,
  troubled,
})

const pacesOf = (sql: Sql, paces: ProviderPace[]): Fragment =>
  recordset(
    sql,
    'given',
    {
      ...{ provider: 'text', pollFirstMs: 'float8', pollOfAge: 'float8', pollMaxMs: 'float8' },
      ...{
        lookUpFirstMs: 'float8',
        lookUpGrowth: 'float8',
        lookUpMaxMs: 'float8',
        perSecond: 'float8',
        room: 'int',
        asking: 'int',
        placesLeft: 'int',
      },
    },
    paces.map(({ provider, poll, lookUp, budget, asking, placesLeft }) => ({
      ...{ provider, pollFirstMs: poll.firstMs, pollOfAge: poll.ofAge, pollMaxMs: poll.maxMs },
      ...{ lookUpFirstMs: lookUp.firstMs, lookUpGrowth: lookUp.growth, lookUpMaxMs: lookUp.maxMs },
      ...{ perSecond: budget.perSecond, room: budget.atOnce - asking, asking, placesLeft },
    })),
  )

/**
 * Until it is asked about again. Polls by age, each a tenth sooner or later than that says, so that what came due together doesn't stay so;
 * look-ups by how many there were.
 */
const waitMs = (sql: Sql, { overdueMs, unknownProviderMs }: TakeLimits): Fragment => sql`
  coalesce(least(
    case
      when attempt.state = 'overdue' then ${overdueMs}::float8
      when attempt.state = 'accepted' then (0.9 + 0.2 * random()) *
        greatest("pollFirstMs", least("pollMaxMs", "pollOfAge" * extract(epoch from now() - coalesce(attempt.accepted_at, now())) * 1000))
      when attempt.absence_proves_at > now() then
        least("lookUpMaxMs", "lookUpFirstMs" * power("lookUpGrowth", least(due.tries, 30) + 1),
              extract(epoch from attempt.absence_proves_at - now()) * 1000 + 50)
      else least("lookUpMaxMs", "lookUpFirstMs" * power("lookUpGrowth", least(due.tries, 30) + 1))
    end,
    case when attempt.state = 'unknown' and due.called_back_as is not null then ${overdueMs}::float8 end
  ), ${unknownProviderMs})`
