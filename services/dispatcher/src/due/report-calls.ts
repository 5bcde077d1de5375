import { createBatch } from '@filmgate/kit/batch'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { Tally } from '../providers/tally'
import { afterCalls, isOpen } from './breaker'
import { lockProviderLimits, type ProviderLimits, saveProviderLimits } from './provider-limits-repository'
import { pauseAfter, type RateReport } from './rate'

const breakers = counter(
  'provider_breakers',
  'Circuit breakers of providers that opened, because calls in a row got no answer, and that closed',
  {
    provider: late,
    to: ['open', 'closed'],
  },
)

/** The calls to a provider in one poll or look-up: whether one was answered, how many were not, and whether it limits our rate. */
export type CallsReport = RateReport & { provider: string; unanswered: number }

/**
 * Shares unanswered calls and pauses with the other dispatchers. Calls that are answered, as nearly all are, write
 * nothing.
 */
export function createReportCalls({ sql, log }: { sql: Sql; log: Log }) {
  const record = async (reports: CallsReport[]): Promise<undefined[]> => {
    for (const { provider, to } of await sql.begin(sql => recordCalls(sql, reports))) {
      breakers.add(1, { provider, to })
      if (to === 'open') log.error({ provider }, 'circuit breaker opened for provider')
      else log.info({ provider }, 'circuit breaker closed for provider')
    }
    return reports.map(() => undefined)
  }
  const batch = createBatch(record, { inFlightMax: 1 })
  const repeated = createRepeatedFilter()
  return {
    /** `answerCounts`: an answer changes what the dispatchers share. Never rejects. */
    async report(provider: string, attemptIds: string[], tally: Tally, answerCounts: boolean): Promise<void> {
      const { rateLimited, retryAfterMs } = tally
      const answered = tally.answered > 0
      const unanswered = repeated.areNew(attemptIds, answered) ? tally.silent : 0
      if (unanswered === 0 && !rateLimited && !(answerCounts && answered)) return
      await batch({ provider, answered, unanswered, rateLimited, retryAfterMs }).catch(error =>
        log.warn({ err: error, provider }, 'call results of provider not saved'),
      )
    },
  }
}

/** Returns the providers whose breaker opened or closed. */
export async function recordCalls(sql: TransactionSql, reports: CallsReport[]): Promise<{ provider: string; to: 'open' | 'closed' }[]> {
  const before = await lockProviderLimits(sql, [...new Set(reports.map(({ provider }) => provider))])
  const after = before.map(row => reports.filter(({ provider }) => provider === row.provider).reduce(afterReport, row))
  await saveProviderLimits(sql, after)
  const changed = after.filter((row, index) => isOpen(row) !== isOpen(before[index] ?? row))
  return changed.map(row => ({ provider: row.provider, to: isOpen(row) ? 'open' : 'closed' }))
}

const afterReport = (row: ProviderLimits, report: CallsReport): ProviderLimits => ({
  ...row,
  ...afterCalls(row, report, row.nowMs),
  ...pauseAfter({ pausedUntilMs: row.pausedUntilMs, pauseMs: row.pauseMs }, report, row.nowMs),
})

/** More than a breaker opens after, of every provider. */
const repeatedMax = 10_000

/**
 * Attempts whose last calls were unanswered. Some are never answered: polling them again says nothing new about the
 * provider.
 */
function createRepeatedFilter() {
  const unanswered = new Set<string>()
  return {
    areNew(ids: string[], answered: boolean): boolean {
      const fresh = ids.filter(id => !unanswered.has(id))
      for (const id of ids) {
        if (answered) unanswered.delete(id)
        else unanswered.add(id)
      }
      for (const id of unanswered) {
        if (unanswered.size <= repeatedMax) break
        unanswered.delete(id)
      }
      return fresh.length > 0
    },
  }
}
