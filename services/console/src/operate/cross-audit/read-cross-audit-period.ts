import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { Period } from './comparisons/comparison'
import { graceMsDefault, lookBackMs } from './cross-audit'

/** Attempts and tasks are kept for longer by default. */
const daysMax = 90

/** Parses `since`, an ISO 8601 time, by default a day ago. The period ends the grace ago. */
export function readCrossAuditPeriod(
  { since, graceSeconds }: { since?: string | undefined; graceSeconds?: number | undefined },
  now: Date,
): Period {
  const until = new Date(now.getTime() - (graceSeconds === undefined ? graceMsDefault : graceSeconds * 1_000))
  const from = since === undefined ? new Date(now.getTime() - lookBackMs) : new Date(since)
  const length = until.getTime() - from.getTime()
  if (!(length > 0) || length > daysMax * 86_400_000)
    throw new Failure<Reason>('invalid_request', {
      message: `since must be a time such as 2026-11-21T08:30:00Z, before the last ${(now.getTime() - until.getTime()) / 1_000} seconds and at most ${daysMax} days ago. Nothing was done.`,
    })
  return { since: from, until }
}
