import { createBatch } from '@filmgate/kit/batch'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { Tally } from '../providers/tally'
import { busyMs, retryAfterMaxMs } from './pace'
import { type CallsReport, recordCalls } from './pace-repository'

const breakers = counter('provider_breakers', 'Breakers of providers that opened, because calls in a row got no answer, and that closed', {
  provider: late,
  to: ['open', 'closed'],
})

export type ReportCalls = {
  /** What the calls of one asking about these attempts came to. `troubled`: some of this provider's got no answer before. Never rejects. */
  report(provider: string, attemptIds: string[], tally: Tally, troubled: boolean): Promise<void>
}

/** Tells the other dispatchers of providers that don't answer, or say that they are asked too often. Calls that are answered, as nearly all are, write nothing. */
export function createReportCalls({ sql, log }: { sql: Sql; log: Log }): ReportCalls {
  const record = async (reports: CallsReport[]): Promise<undefined[]> => {
    const { opened, closed } = await recordCalls(sql, [...Map.groupBy(reports, ({ provider }) => provider).values()].map(sumOf))
    for (const provider of opened) {
      breakers.add(1, { provider, to: 'open' })
      log.error({ provider }, 'this provider gives no usable answers: it is asked about one attempt at a time until it does')
    }
    for (const provider of closed) {
      breakers.add(1, { provider, to: 'closed' })
      log.info({ provider }, 'this provider answers again')
    }
    return reports.map(() => undefined)
  }
  const batch = createBatch(record, { inFlightMax: 1 })
  const silences = createSilences()
  return {
    async report(provider, attemptIds, { answered, silent: calls, busy, retryAfterMs }, troubled) {
      const silent = silences.areNew(attemptIds, answered > 0) ? calls : 0
      const waitMs = retryAfterMs === undefined ? (busy ? busyMs : undefined) : Math.min(retryAfterMs, retryAfterMaxMs)
      if (silent === 0 && waitMs === undefined && !(troubled && answered > 0)) return
      await batch({ provider, answered: answered > 0, silent, waitMs }).catch(error =>
        log.warn({ err: error, provider }, 'whether this provider answers is not written down'),
      )
    },
  }
}

/** More than a provider's breaker opens after, of every provider. */
const silencesMax = 10_000

/**
 * Attempts of which their provider said nothing when they were last asked about. Some it says nothing of for ever (MiniMax answers 500 to an id that it
 * doesn't know), and however often they are asked about, that says no more of the provider than the first time.
 */
function createSilences() {
  const silent = new Set<string>()
  return {
    areNew(ids: string[], answered: boolean): boolean {
      const fresh = ids.filter(id => !silent.has(id))
      for (const id of ids) {
        if (answered) silent.delete(id)
        else silent.add(id)
      }
      for (const id of silent) {
        if (silent.size <= silencesMax) break
        silent.delete(id)
      }
      return fresh.length > 0
    },
  }
}

const sumOf = (reports: CallsReport[]): CallsReport => ({
  provider: reports[0]?.provider ?? '',
  answered: reports.some(({ answered }) => answered),
  silent: reports.reduce((sum, { silent }) => sum + silent, 0),
  waitMs: reports.reduce<number | undefined>((most, { waitMs }) => (waitMs === undefined ? most : Math.max(most ?? 0, waitMs)), undefined),
})
