import { createBatch } from '@filmgate/kit/batch'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { Tally } from '../makers/tally'
import { busyMs, retryAfterMaxMs } from './pace'
import { type CallsReport, recordCalls } from './pace-repository'

const breakers = counter('maker_breakers', 'Breakers of makers that opened, because calls in a row got no answer, and that closed', {
  maker: late,
  to: ['open', 'closed'],
})

export type ReportCalls = {
  /** What the calls of one asking about these attempts came to. `troubled`: some of this maker's got no answer before. Never rejects. */
  report(maker: string, attemptIds: string[], tally: Tally, troubled: boolean): Promise<void>
}

/** Tells the other dispatchers of makers that don't answer, or say that they are asked too often. Calls that are answered, as nearly all are, write nothing. */
export function createReportCalls({ sql, log }: { sql: Sql; log: Log }): ReportCalls {
  const record = async (reports: CallsReport[]): Promise<undefined[]> => {
    const { opened, closed } = await recordCalls(sql, [...Map.groupBy(reports, ({ maker }) => maker).values()].map(sumOf))
    for (const maker of opened) {
      breakers.add(1, { maker, to: 'open' })
      log.error({ maker }, 'this maker gives no usable answers: it is asked about one attempt at a time until it does')
    }
    for (const maker of closed) {
      breakers.add(1, { maker, to: 'closed' })
      log.info({ maker }, 'this maker answers again')
    }
    return reports.map(() => undefined)
  }
  const batch = createBatch(record, { inFlightMax: 1 })
  const silences = createSilences()
  return {
    async report(maker, attemptIds, { answered, silent: calls, busy, retryAfterMs }, troubled) {
      const silent = silences.areNew(attemptIds, answered > 0) ? calls : 0
      const waitMs = retryAfterMs === undefined ? (busy ? busyMs : undefined) : Math.min(retryAfterMs, retryAfterMaxMs)
      if (silent === 0 && waitMs === undefined && !(troubled && answered > 0)) return
      await batch({ maker, answered: answered > 0, silent, waitMs }).catch(error =>
        log.warn({ err: error, maker }, 'whether this maker answers is not written down'),
      )
    },
  }
}

/** More than a maker's breaker opens after, of every maker. */
const silencesMax = 10_000

/**
 * Attempts of which their maker said nothing when they were last asked about. Some it says nothing of for ever (MiniMax answers 500 to an id that it
 * doesn't know), and however often they are asked about, that says no more of the maker than the first time.
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
  maker: reports[0]?.maker ?? '',
  answered: reports.some(({ answered }) => answered),
  silent: reports.reduce((sum, { silent }) => sum + silent, 0),
  waitMs: reports.reduce<number | undefined>((most, { waitMs }) => (waitMs === undefined ? most : Math.max(most ?? 0, waitMs)), undefined),
})
