import { backoffMs, endingSoonAfter } from '@filmgate/kit/deadline'
import { rescheduleHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { withSpan } from '@filmgate/kit/telemetry/trace'
import type { InputMedia, Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { createCpuBudget } from '../child/cpu-budget'
import { removeInputs } from '../copies/remove-inputs'
import { asStoreFault, isRejection, OwnFault, ownFaults, reject, rejectionCodes } from '../errors'
import { createByteBudget } from '../fetching/byte-budget'
import type { WorkFolder } from '../fetching/work-folder'
import { findTotalSecondsFault } from '../limits/check-total-seconds'
import { orderOf, type VerifyJob } from './jobs'
import { admitBy, type RecordDeps, recordRejected, recordVerified, type VerifiedInput } from './record-decision'
import { type InputDeps, type VerifyRun, verifyInput } from './verify-input'

export type VerifyDeps = InputDeps & RecordDeps & { log: Log; workFolder: WorkFolder; taskCpuSecondsMax: number }

/** Reserved at the end of the admission for the dispatcher to find a provider. */
const dispatchMarginMs = 15_000
/**
 * Time for a run to end after its signal. After that its files and slots are lost to this process, but its task is not.
 */
const abortGraceMs = 5_000
/** Maximum number of runs that fail for unknown reasons. */
const runsMax = 10
const totalBytesMaxFallback = 268_435_456

const decided = counter('probe_tasks_decided', 'Tasks whose media were verified or rejected', {
  outcome: ['verified', ...rejectionCodes],
})

const failedRuns = counter('probe_runs_failed', 'Runs that ended by our own faults, by the part at fault', {
  part: [...Object.keys(ownFaults), 'other'],
})

/** One run for a task's media: it ends with a decision and its event, or reschedules the job. */
export async function verify(deps: VerifyDeps, job: VerifyJob, signal: AbortSignal): Promise<void> {
  const order = orderOf(job)
  await withSpan('verify', { parent: job.payload.traceparent, attributes: { task_id: order.taskId, inputs: order.inputs.length } }, () =>
    verifyOrder(deps, job, order, signal),
  )
}

async function verifyOrder(deps: VerifyDeps, job: VerifyJob, order: Order, signal: AbortSignal): Promise<void> {
  const leftMs = remainingMs(deps, order)
  if (leftMs <= 0 || job.tries - (job.payload.ownFaults ?? 0) > runsMax) return rejectAsOurs(deps, job, order)
  const deadline = new AbortController()
  const timer = setTimeout(() => deadline.abort(new Error('the admission ended')), leftMs)
  try {
    await decideMedia(deps, job, order, { stopping: signal, deadline: deadline.signal })
  } catch (error) {
    await reschedule(deps, job, order, signal, error)
  } finally {
    clearTimeout(timer)
  }
}

/** Records the task's decision, or throws the reason why there is none. Leaves no files. */
async function decideMedia(
  deps: VerifyDeps,
  job: VerifyJob,
  order: Order,
  { stopping, deadline }: { stopping: AbortSignal; deadline: AbortSignal },
): Promise<void> {
  const signal = AbortSignal.any([stopping, deadline])
  const folder = await deps.workFolder.open(`${order.taskId}-${job.epoch}`)
  try {
    if (job.tries > 1) await asStoreFault(removeInputs(deps.store, order.taskId, deps.now()))
    const budget = createByteBudget(Number(order.mediaLimits?.totalBytesMax ?? 0) || totalBytesMaxFallback)
    const cpu = createCpuBudget(deps.taskCpuSecondsMax)
    const work = verifyAll(deps, { order, epoch: job.epoch, folder, budget, cpu, signal })
    const outcome = await endingSoonAfter(work, signal, abortGraceMs, 'verifying a task').catch(error => ({ error, input: undefined }))
    const processorSeconds = cpu.secondsMax - cpu.secondsLeft()
    if ('media' in outcome) {
      if (await recordVerified(deps, job, order, outcome.media)) decided.add(1, { outcome: 'verified' })
    } else if (isRejection(outcome.error)) {
      const { field, index } = outcome.input ?? {}
      deps.log.info({ taskId: order.taskId, code: outcome.error.reason, field, index, why: outcome.error.message }, 'media rejected')
      if (await recordRejected(deps, job, order, outcome.error, outcome.input, processorSeconds))
        decided.add(1, { outcome: outcome.error.reason })
    } else if (outcome.error instanceof OwnFault && outcome.error.part === 'copy') {
      failedRuns.add(1, { part: 'copy' })
      deps.log.error({ err: outcome.error, taskId: order.taskId }, 'media check failed, not retried')
      await rejectAsOurs(deps, job, order, processorSeconds)
    } else if (deadline.aborted && !stopping.aborted) {
      deps.log.warn({ err: outcome.error, taskId: order.taskId }, 'media check not finished within the admission time')
      await rejectAsOurs(deps, job, order)
    } else {
      throw outcome.error
    }
  } finally {
    await folder.remove()
    deps.gates.download.recheck()
  }
}

type Outcome = { media: VerifiedInput[] } | { error: unknown; input: InputMedia | undefined }

/** Verifies all inputs concurrently. The first failure aborts the others, and all have ended on return. */
async function verifyAll(deps: VerifyDeps, run: VerifyRun): Promise<Outcome> {
  const failing = new AbortController()
  const signal = AbortSignal.any([run.signal, failing.signal])
  let failure: { error: unknown; input: InputMedia } | undefined
  const media = await Promise.all(
    run.order.inputs.map(async (input, position) => {
      try {
        return await verifyInput(deps, { ...run, signal }, input, position)
      } catch (error) {
        failure ??= { error, input }
        failing.abort(new Error('another file of the task failed'))
        return undefined
      }
    }),
  )
  if (failure) return failure
  const lengths = run.order.inputs.map((input, position) => ({ input, seconds: media[position]?.seconds ?? 0 }))
  return findTotalSecondsFault(lengths, run.order.mediaLimits?.kinds ?? []) ?? { media: media.filter(one => one !== undefined) }
}

async function rejectAsOurs(deps: VerifyDeps, job: VerifyJob, order: Order, processorSeconds = 0): Promise<void> {
  const failure = reject('generation_unavailable', { measured: '', limit: '' })
  if (await recordRejected(deps, job, order, failure, undefined, processorSeconds)) decided.add(1, { outcome: failure.reason })
}

/** On shutdown another replica may start at once. Our own faults get a backoff, within the admission. */
async function reschedule(deps: VerifyDeps, job: VerifyJob, order: Order, signal: AbortSignal, error: unknown): Promise<void> {
  if (signal.aborted) return void (await rescheduleHeldJobs(deps.sql, [{ job, runAfterMs: 0 }]))
  const runAfterMs = Math.min(backoffMs(job.tries, 500, 15_000), Math.max(0, remainingMs(deps, order)))
  failedRuns.add(1, { part: error instanceof OwnFault ? error.part : 'other' })
  deps.log.error({ err: error, taskId: job.id, tries: job.tries, runAfterMs }, 'media check failed, retrying')
  const payload = error instanceof OwnFault && { payload: { ...job.payload, ownFaults: (job.payload.ownFaults ?? 0) + 1 } }
  await rescheduleHeldJobs(deps.sql, [{ job, runAfterMs, ...payload }])
}

const remainingMs = ({ now }: VerifyDeps, order: Order): number => admitBy(order).getTime() - now().getTime() - dispatchMarginMs
