import { backoffMs } from '@filmgate/kit/deadline'
import type { Job } from '@filmgate/kit/jobs-repository'
import { deleteHeldJobs } from '@filmgate/kit/jobs-repository'
import type { Log } from '@filmgate/kit/log'
import { counter, histogram, late } from '@filmgate/kit/metrics'
import type { Sql } from '@filmgate/kit/postgres'
import type { Attempt } from '../attempt/attempt'
import { type CopyingAttempt, findCopying } from '../attempt/attempt-repository'
import { type OverdueDeps, overdueMove } from '../attempt/decide'
import { completed, failed } from '../attempt/events'
import { attemptJob, unknownMakerMs } from '../attempt/jobs'
import type { Move } from '../attempt/move'
import type { WriteMove } from '../attempt/write-moves'
import type { Connector } from '../makers/connector'
import type { Routing } from '../routing/routing'
import { type Copied, type CopyDeps, copyOutput, SourceFault } from './copy-output'

/** `faults`: how often the maker's output could not be had. Crashes and our own storage's troubles don't count. */
export type CopyPayload = { url: string; faults: number }

export type FinishDeps = Omit<CopyDeps, 'policy'> &
  OverdueDeps & {
    sql: Sql
    routing: Routing
    write: WriteMove
    forbiddenRanges: CopyDeps['policy']['forbiddenRanges']
    outputBaseUrl: string
    outputTriesMax: number
    /** Bounds a whole copy, storage included. */
    copyTimeoutMs: number
    outputRetryFirstMs: number
    log: Log
  }

const copies = counter('output_copies', 'Tries to copy an output, by how they ended', {
  maker: late,
  result: ['copied', 'output_fault', 'own_fault'],
})
const seconds = histogram('output_copy_seconds', 'Time to copy an output', [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900])
const bytesCopied = counter('output_copied_bytes', 'Bytes of outputs copied')
const retryMsMax = 60_000

/** Copies the output of an attempt into managed storage; the generation is completed only after that. */
export async function finish(deps: FinishDeps, job: Job<CopyPayload>, signal: AbortSignal): Promise<void> {
  const attempt = await findCopying(deps.sql, job.id)
  if (!attempt?.outputKey) return void (await deleteHeldJobs(deps.sql, [job]))
  const connector = deps.routing.connectorOf(attempt.maker)
  if (!connector) return void (await deps.write(waitingMove(deps, attempt, job)))
  const startedAt = performance.now()
  try {
    const url = await currentUrl(attempt, job, connector, signal)
    const policy = { forbiddenRanges: deps.forbiddenRanges, trustedOrigins: connector.outputOrigins }
    const copied = await copyOutput(
      { ...deps, policy },
      {
        url,
        key: attempt.outputKey,
        signal: AbortSignal.any([signal, AbortSignal.timeout(deps.copyTimeoutMs)]),
      },
    )
    seconds.record((performance.now() - startedAt) / 1_000)
    bytesCopied.add(copied.bytes)
    copies.add(1, { maker: attempt.maker, result: 'copied' })
    await deps.write(completedMove(deps, attempt, job, attempt.outputKey, copied))
  } catch (error) {
    if (signal.aborted) throw error
    const fromSource = error instanceof SourceFault
    copies.add(1, { maker: attempt.maker, result: fromSource ? 'output_fault' : 'own_fault' })
    deps.log.warn({ err: error, attempt: attempt.id, faults: job.payload.faults }, 'output not copied')
    await deps.write(faultMove(deps, attempt, job, fromSource ? error : undefined))
  }
}

/** Only a configured maker names its origins and fresh URLs: the copy waits for that, past the generation's timeout in review. */
function waitingMove(deps: FinishDeps, attempt: CopyingAttempt, job: Job<CopyPayload>): Move {
  deps.log.warn({ attempt: attempt.id, maker: attempt.maker }, 'output not copied, its maker is not configured')
  if (attempt.acceptedMsAgo < deps.generationTimeoutMs) return { attempt, job, after: { next: 'again', afterMs: unknownMakerMs } }
  const polls = { kind: attemptJob, id: attempt.id, fairnessKey: attempt.accountId, runAfterMs: unknownMakerMs }
  return overdueMove(deps, attempt, job, { next: 'hand-over', job: polls })
}

/** The first try takes the URL the poll gave; later ones ask for a fresh one, because a maker's URLs go stale. */
async function currentUrl(attempt: Attempt, job: Job<CopyPayload>, connector: Connector, signal: AbortSignal): Promise<string> {
  if (job.payload.faults === 0) return job.payload.url
  const [answer] = await connector
    .poll([{ attemptId: attempt.id, makerTaskId: attempt.makerTaskId ?? '', echoed: attempt.echoed }], signal)
    .catch(() => [])
  return answer?.status === 'succeeded' ? answer.outputUrl : job.payload.url
}

const completedMove = (deps: FinishDeps, attempt: Attempt, job: Job, key: string, { bytes, sha256 }: Copied): Move => ({
  attempt,
  job,
  to: 'completed',
  columns: { outputBytes: bytes, outputSha256: sha256 },
  events: [completed(attempt, deps.now(), { videoUrl: `${deps.outputBaseUrl}/${key}`, bytes, sha256 })],
  after: { next: 'end' },
})

/** What a crash left under the key stays until its retention ends: a copier whose lease is lost must not take away a later one's video. */
function faultMove(deps: FinishDeps, attempt: Attempt, job: Job<CopyPayload>, fault: SourceFault | undefined): Move {
  const faults = job.payload.faults + (fault ? 1 : 0)
  if (faults < deps.outputTriesMax) {
    const afterMs = backoffMs(fault ? faults : job.tries, deps.outputRetryFirstMs, retryMsMax)
    return { attempt, job, after: { next: 'again', afterMs, payload: { ...job.payload, faults } } }
  }
  const cause = `output not to be had in ${faults} tries: ${fault?.message}`.slice(0, 500)
  return {
    attempt,
    job,
    to: 'failed',
    columns: { code: 'output_unavailable', cause },
    events: [failed(attempt, deps.now(), 'output_unavailable')],
    after: { next: 'end' },
  }
}
