import type { Sql } from '@filmgate/kit/database/postgres'
import { recordset } from '@filmgate/kit/database/recordset'
import { attemptJob } from '../attempt/jobs'
import type { Hold, HoldCause, ProbePauses, Undecided } from './hold'

const columns = (sql: Sql) => sql`
  id, provider, model, cause, reason, started_by as "startedBy", started_at as "startedAt", key_digest as "keyDigest", probe_at as "probeAt", probes,
  coalesce(${probeDue(sql)}, false) as "probeDue"`

/** One at a time: not while the one before waits for its answer. */
const probeDue = (sql: Sql) => sql`
  (probe_at <= now() and not exists (
    select from attempt where attempt.id = probe_attempt and attempt.state = 'sending' and ${isAtProvider(sql)}))`

export const findHolds = (sql: Sql) => sql<Hold[]>`select ${columns(sql)} from route_hold where ended_at is null order by route_hold.id`

export type NewHold = Pick<Hold, 'provider' | 'model' | 'cause' | 'reason' | 'startedBy' | 'keyDigest'> & { probeAfterMs: number | null }

/** Undefined where it was in force already. A hold for a refused key takes over the one of the key before. */
export async function insertHold(sql: Sql, hold: NewHold): Promise<Hold | undefined> {
  const { provider, model, cause, reason, startedBy, keyDigest, probeAfterMs } = hold
  const [row] = await sql<Hold[]>`
    insert into route_hold (provider, model, cause, reason, started_by, key_digest, probe_at)
    values (${provider}, ${model}, ${cause}, ${reason}, ${startedBy}, ${keyDigest}, now() + ${probeAfterMs}::float8 * interval '1 millisecond')
    on conflict (provider, coalesce(model, ''), cause) where ended_at is null do update
      set key_digest = excluded.key_digest, reason = excluded.reason, started_at = now(), probe_at = excluded.probe_at, probes = 0
      where route_hold.key_digest is distinct from excluded.key_digest
    returning ${columns(sql)}`
  return row
}

export type HoldEnd = { provider: string; causes: readonly HoldCause[]; by: string | null; reason: string }

/** Ends those of a route: of the provider and of the model. */
export const endHoldsOfRoute = (sql: Sql, { provider, causes, by, reason, model }: HoldEnd & { model: string }) => sql<Hold[]>`
  update route_hold set ended_at = now(), ended_by = ${by}, end_reason = ${reason}
  where ended_at is null and provider = ${provider} and cause = any(${causes}::text[]) and coalesce(model, ${model}) = ${model}
  returning ${columns(sql)}`

/** Ends those of exactly this scope: of the provider, or of one model of it. */
export const endHoldsOfScope = (sql: Sql, { provider, model, by, reason }: Omit<HoldEnd, 'causes'> & { model: string | null }) => sql<
  Hold[]
>`
  update route_hold set ended_at = now(), ended_by = ${by}, end_reason = ${reason}
  where ended_at is null and provider = ${provider} and model is not distinct from ${model}
  returning ${columns(sql)}`

/**
 * Gives each attempt the probe of its holds, where all of them are due; returns the attempts that don't get it. The rows are locked, so that of
 * several dispatchers one gets it. A hold that has ended keeps nobody back.
 */
export async function claimProbes(
  sql: Sql,
  claims: { attempt: string; hold: string }[],
  pauses: { unanswered: ProbePauses; account: ProbePauses },
): Promise<Set<string>> {
  const rows = await sql<{ attempt: string }[]>`
    with held as (
      select route_hold.id, cause, claim.attempt, ${probeDue(sql)} is true as due
      from ${recordset(sql, 'claim', { attempt: 'text', hold: 'bigint' }, claims)} join route_hold on route_hold.id = claim.hold
      where ended_at is null order by route_hold.id for update of route_hold
    ), refused as (
      select distinct attempt from held where not due
    ), claimed as (
      update route_hold set probe_attempt = held.attempt, probes = probes + 1, probe_at = now() + interval '1 millisecond' * case held.cause
        when 'unanswered' then least(${pauses.unanswered.maxMs}::float8, ${pauses.unanswered.firstMs}::float8 * 2 ^ least(probes + 1, 10))
        else least(${pauses.account.maxMs}::float8, ${pauses.account.firstMs}::float8 * 2 ^ least(probes + 1, 10)) end
      from held
      where route_hold.id = held.id and held.attempt not in (select attempt from refused)
    )
    select attempt from refused`
  return new Set(rows.map(({ attempt }) => attempt))
}

/** `slowMs`: null counts only unknown outcomes. `certainMax`: so many certain answers are enough to know. */
export type UndecidedBounds = { undecidedMax: number; certainMax: number; windowMs: number; slowMs: number | null }

/**
 * Of each provider the newest submits without a certain answer, at most `undecidedMax`: those whose outcome is unknown and, where `slowMs` is
 * given, those sent longer ago that wait for their answer. Those sent before the window, or before the last hold for this ended, don't count.
 * Beside them the certain answers that came since the oldest of them was sent: by the time of the answer, so that a slow provider that keeps
 * up with its orders has as many.
 */
export const countUndecided = (sql: Sql, providers: string[], { undecidedMax, certainMax, windowMs, slowMs }: UndecidedBounds) => sql<
  Undecided[]
>`
  select named.provider, newest.undecided, (
    select count(*)::int from (
      select from attempt where attempt.provider = named.provider and created_at >= newest.since - ${submitMsMax}::float8 * interval '1 millisecond'
        and (accepted_at >= newest.since or (state = 'refused' and updated_at >= newest.since))
      limit ${certainMax}
    ) as answered
  ) as certain
  from unnest(${providers}::text[]) as named (provider), lateral (
    select count(*)::int as undecided, min(created_at) as since from (
      select created_at from attempt
      where attempt.provider = named.provider and state in ('sending', 'unknown') and not sender_lost
        and created_at > greatest(now() - ${windowMs}::float8 * interval '1 millisecond', (
          select max(ended_at) from route_hold where route_hold.provider = named.provider and cause = 'unanswered'))
        and (state = 'unknown' or (created_at < now() - ${slowMs}::float8 * interval '1 millisecond' and ${isAtProvider(sql)}))
      order by created_at desc limit ${undecidedMax}
    ) as undecided
  ) as newest
  where newest.undecided >= ${undecidedMax}`

/** One that uploads its inputs is not sent yet, and one whose inputs couldn't be read has its answer. */
const isAtProvider = (sql: Sql) => sql`
  not exists (select from job where job.kind = ${attemptJob} and job.id = attempt.id and job.payload ?| array['uploading', 'answered'])`

/** No submit waits longer for its answer. */
const submitMsMax = 240_000
