import { createBatch } from '@filmgate/kit/batch'
import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { DueAttempt } from '../attempt/attempt'
import { type Progress, phases } from '../providers/connector'
import { type ProgressRow, updateProgress } from './progress-repository'

const running = counter('provider_polls_running', 'Polls that were told of a generation that runs, by how far it is', {
  provider: late,
  phase: [...phases, 'untold'],
})

/** Less than so many percent further is not written down, and in a queue no step shorter than this part of it. */
const percentStep = 5
const queueStep = 0.1
const gatherMs = 50

type Told = Pick<DueAttempt, 'id' | 'provider' | 'phase' | 'queuePosition' | 'percent'>

/** Takes what a provider told of an attempt that runs. Never rejects, and keeps nobody waiting: nothing is decided by it. */
export type KeepProgress = (attempt: Told, progress: Progress | undefined) => void

/** Counts what is told, and writes down what is news: most polls hear what the one before heard, and write nothing. */
export function createKeepProgress({ sql, log }: { sql: Sql; log: Log }): KeepProgress {
  const write = async (rows: ProgressRow[]): Promise<undefined[]> => {
    await updateProgress(sql, rows)
    return rows.map(() => undefined)
  }
  const batch = createBatch(write, { inFlightMax: 1, gatherMs })
  return (attempt, progress) => {
    running.add(1, { provider: attempt.provider, phase: progress?.phase ?? 'untold' })
    if (!progress || !isNews(attempt, progress)) return
    const { phase, queuePosition = null, percent = null } = progress
    batch({ id: attempt.id, phase, queuePosition, percent }).catch(error =>
      log.warn({ err: error }, 'how far attempts are is not written down'),
    )
  }
}

export function isNews(before: Told, { phase, queuePosition, percent }: Progress): boolean {
  if (before.phase !== phase) return true
  if (percent !== undefined && Math.abs(percent - (before.percent ?? -percentStep)) >= percentStep) return true
  if (queuePosition === undefined || queuePosition === before.queuePosition) return false
  return before.queuePosition === null || Math.abs(queuePosition - before.queuePosition) >= before.queuePosition * queueStep
}
