import { createBatch } from '@filmgate/kit/batch'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { DueAttempt } from '../attempt/attempt'
import { outgoing, rendering } from '../attempt/events'
import { type Progress, phases } from '../providers/connector'
import { type ProgressRow, updateProgress } from './progress-repository'

const running = counter('provider_polls_running', 'Polls that were told of a generation that runs, by how far it is', {
  provider: late,
  phase: [...phases, 'untold'],
})

/** Less than so many percent further is not written down, and in a queue no step shorter than this part of it. */
const percentStep = 10
const queueStep = 0.1
const gatherMs = 50
/** At least `gapMs` between two writes of an attempt, and at most `eventsMax` events of it for its client. */
const limits = { gapMs: 2_000, eventsMax: 60 }

type PolledAttempt = Pick<
  DueAttempt,
  'id' | 'taskId' | 'accountId' | 'number' | 'traceparent' | 'provider' | 'phase' | 'queuePosition' | 'percent'
>

/** Takes what a provider told of an attempt that runs. Never rejects, and keeps nobody waiting: nothing is decided by it. */
export type KeepProgress = (attempt: PolledAttempt, progress: Progress | undefined) => void

export type KeepProgressDeps = { outbox: Pick<Outbox, 'statement'>; topicPrefix: string; now(): Date; log: Log }

/** Counts reported progress, stores it where it changed, and publishes a percent or a place in the queue. Most polls change nothing and write nothing. */
export function createKeepProgress({ outbox, topicPrefix, now, log }: KeepProgressDeps): KeepProgress {
  const write = async (changes: { attempt: PolledAttempt; row: ProgressRow }[]): Promise<undefined[]> => {
    const events = changes.flatMap(({ attempt, row: { percent, queuePosition } }) =>
      percent === null && queuePosition === null
        ? []
        : [{ subject: attempt.id, ...outgoing(topicPrefix, attempt, rendering(attempt, now(), { percent, queuePosition })) }],
    )
    const rows = changes.map(({ row }) => row)
    await outbox.statement(events, (sql, insertion) => updateProgress(sql, rows, limits, insertion))
    return changes.map(() => undefined)
  }
  const batch = createBatch(write, { inFlightMax: 1, gatherMs })
  return (attempt, progress) => {
    running.add(1, { provider: attempt.provider, phase: progress?.phase ?? 'untold' })
    if (!progress || !hasChanged(attempt, progress)) return
    const { phase, queuePosition = null, percent = null } = progress
    const row = { id: attempt.id, phase, queuePosition, percent }
    batch({ attempt, row }).catch(error => log.warn({ err: error }, 'progress of attempts not stored'))
  }
}

export function hasChanged(before: PolledAttempt, { phase, queuePosition, percent }: Progress): boolean {
  if (before.phase !== phase) return true
  if (percent !== undefined && Math.abs(percent - (before.percent ?? -percentStep)) >= percentStep) return true
  if (queuePosition === undefined || queuePosition === before.queuePosition) return false
  return before.queuePosition === null || Math.abs(queuePosition - before.queuePosition) >= before.queuePosition * queueStep
}
