import { createBatch } from '@filmgate/kit/batch'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { Tally } from '../makers/tally'
import { afterCalls, isOpen } from './breaker'
import { lockProviderLimits, type ProviderLimits, saveProviderLimits } from './provider-limits-repository'
import { pauseMsOf } from './rate'

const breakers = counter('maker_breakers', 'Circuit breakers of providers that opened, because calls in a row got no answer, and that closed', {
  maker: late,
  to: ['open', 'closed'],
})

export type ReportCalls = {
  /** What the calls of one poll or look-up of these attempts came to. `hadUnanswered`: some of this provider's got no answer before. Never rejects. */
  report(maker: string, attemptIds: string[], tally: Tally, hadUnanswered: boolean): Promise<void>
}

/** The calls to a provider since the last report: whether one was answered, how many were not, and for how long it asks for a pause. */
export type CallsReport = { maker: string; answered: boolean; unanswered: number; pauseMs: number | undefined }

/** Shares unanswered calls and pauses with the other dispatchers. Calls that are answered, as nearly all are, write nothing. */
export function createReportCalls({ sql, log }: { sql: Sql; log: Log }): ReportCalls {
  const record = async (reports: CallsReport[]): Promise<undefined[]> => {
    const { opened, closed } = await sql.begin(sql => recordCalls(sql, reports))
    for (const maker of opened) {
      breakers.add(1, { maker, to: 'open' })
      log.error({ maker }, 'circuit breaker opened for provider')
    }
    for (const maker of closed) {
      breakers.add(1, { maker, to: 'closed' })
      log.info({ maker }, 'circuit breaker closed for provider')
    }
    return reports.map(() => undefined)
  }
  const batch = createBatch(record, { inFlightMax: 1 })
  const repeated = createRepeatedFilter()
  return {
    async report(maker, attemptIds, tally, hadUnanswered) {
      const answered = tally.answered > 0
      const unanswered = repeated.areNew(attemptIds, answered) ? tally.silent : 0
      const pauseMs = pauseMsOf(tally)
      if (unanswered === 0 && pauseMs === undefined && !(hadUnanswered && answered)) return
      await batch({ maker, answered, unanswered, pauseMs }).catch(error =>
        log.warn({ err: error, maker }, 'call results of provider not saved'),
      )
    },
  }
}

/** Returns the providers whose breaker this opened, and those whose it closed. */
export async function recordCalls(sql: TransactionSql, reports: CallsReport[]): Promise<{ opened: string[]; closed: string[] }> {
  const byMaker = Map.groupBy(reports, ({ maker }) => maker)
  const before = await lockProviderLimits(sql, [...byMaker.keys()])
  const after = before.map(row => ({ ...row, ...afterReports(row, byMaker.get(row.maker) ?? []) }))
  await saveProviderLimits(sql, after)
  const changed = after.filter((row, index) => isOpen(row) !== isOpen(before[index] ?? row))
  const [opened, closed] = [changed.filter(isOpen), changed.filter(row => !isOpen(row))]
  return { opened: opened.map(({ maker }) => maker), closed: closed.map(({ maker }) => maker) }
}

function afterReports(row: ProviderLimits, reports: CallsReport[]) {
  const answered = reports.some(one => one.answered)
  const unanswered = reports.reduce((sum, one) => sum + one.unanswered, 0)
  const pausedUntilMs = Math.max(row.pausedUntilMs, ...reports.map(({ pauseMs }) => (pauseMs === undefined ? -Infinity : row.nowMs + pauseMs)))
  return { ...afterCalls(row, { answered, unanswered }, row.nowMs), pausedUntilMs }
}

/** More than a breaker opens after, of every provider. */
const repeatedMax = 10_000

/**
 * Attempts whose last calls were unanswered. To some a provider never answers (MiniMax answers 500 to an id that it doesn't know): however
 * often they are polled, that says no more of the provider than the first time.
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
