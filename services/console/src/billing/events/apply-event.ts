import type { Sql } from '@filmgate/kit/database/postgres'
import { backoffMs } from '@filmgate/kit/deadline'
import { invariant } from '@filmgate/kit/failure'
import { deleteHeldJobs, type Job, rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { applyFact, type Outcome } from './apply-fact'
import { findEvent, markApplied } from './event-repository'
import { recordOutcome } from './record-outcome'

export type ApplyDeps = { sql: Sql; log: Log; wakeChanges(): void }

const firstRetryMs = 200
const retryMsMax = 60_000

/** Applies a stored event once: its effects and the end of its job are one transaction. */
export async function applyEvent({ sql, log, wakeChanges }: ApplyDeps, job: Job): Promise<void> {
  try {
    const outcome = await sql.begin(async sql => {
      const event = await findEvent(sql, job.id)
      const outcome: Outcome = event?.fact ? await applyFact(sql, { ...event, fact: event.fact }) : 'not_ours'
      await markApplied(sql, job.id, outcome)
      invariant((await deleteHeldJobs(sql, [job])).has(job.id), `the event ${job.id} is leased by another worker`)
      return outcome
    })
    recordOutcome(log, outcome, { event: job.id })
    wakeChanges()
  } catch (error) {
    log.warn({ err: error, event: job.id, tries: job.tries }, 'applying a Stripe event failed, retrying')
    await rescheduleHeldJobs(sql, [{ job, runAfterMs: backoffMs(job.tries, firstRetryMs, retryMsMax) }])
  }
}
