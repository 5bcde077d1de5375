import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../../errors'
import type { Period } from '../stripe/list-page'
import { deliveryMs } from './reconciliation'

const daysMax = 400
const dayMs = 86_400_000

/**
 * Parses ISO 8601 dates or times, in UTC if no zone is given. `to` defaults to 15 minutes ago and is limited to now.
 */
export function readPeriod({ from, to }: { from: string; to?: string | undefined }, now: Date): Period {
  const period = { from: momentOf(from), to: to ? momentOf(to) : new Date(now.getTime() - deliveryMs) }
  if (period.to > now) period.to = now
  const length = period.to.getTime() - period.from.getTime()
  if (!(length > 0) || length > daysMax * dayMs)
    throw new Failure<Reason>('invalid_request', {
      message: `Give a period: from and to as 2026-11-21 or 2026-11-21T08:30:00Z, from before to, at most ${daysMax} days. Nothing was done.`,
    })
  return period
}

const form = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)?)?$/

function momentOf(text: string): Date {
  if (!form.test(text)) return new Date(Number.NaN)
  return new Date(/T.*(Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`)
}
