import { timestampDate } from '@bufbuild/protobuf/wkt'
import { DeclineReason, type UnfinishedTask as WireUnfinished } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { GenerationPhase, NotCancelledReason, type Delivery as WireDelivery } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { exceededDetails } from '../budgets/budget'
import { type BillingStatus, billingStatuses, type Delivery, type Phase, phases, type UnfinishedTask } from '../tasks/task'
import { type PipelineEvent, taskIdOf } from './pipeline-event'
import type { TaskChange } from './projection-repository'

/** What an event tells of its task; what is left out stays as it is. */
type TaskPatch = {
  phase?: Phase
  freesKey?: boolean
  billing?: BillingStatus
  countsUntil?: Date
  creditsUsed?: number
  creditsRefunded?: number
  videoUrl?: string
  posterUrl?: string
  delivery?: Delivery
  error?: { code: string; message?: string; details?: object }
  cancelRefusal?: string
}

const declines: Record<number, string> = {
  [DeclineReason.INSUFFICIENT_CREDITS]: 'insufficient_credits',
  [DeclineReason.UNFINISHED_TASK_LIMIT]: 'unfinished_task_limit',
  [DeclineReason.BUDGET_EXCEEDED]: 'budget_exceeded',
}

/** As details.reason of `not_cancellable` names them. */
const cancelRefusals: Record<number, string> = {
  [NotCancelledReason.PROVIDER_CANNOT]: 'provider_cannot',
  [NotCancelledReason.PROVIDER_REFUSED]: 'provider_refused',
  [NotCancelledReason.PROVIDER_SILENT]: 'provider_silent',
  [NotCancelledReason.UNCERTAIN]: 'uncertain',
  [NotCancelledReason.FINISHED]: 'finished',
}

/** Each event has columns of its own; undefined where the event is of no task. */
function patchOf(event: PipelineEvent): TaskPatch | undefined {
  switch (event.case) {
    case 'creditsReserved':
      return { billing: 'reserved', creditsUsed: Number(event.value.order?.credits ?? 0) }
    case 'taskRecorded':
      return { billing: 'reserved', creditsUsed: Number(event.value.request?.order?.credits ?? 0) }
    case 'creditsDeclined': {
      const { reason, required, available, unfinished, exceeded } = event.value
      const code = declines[reason] ?? 'generation_unavailable'
      const details: Record<string, object> = {
        insufficient_credits: { required_credits: Number(required), available_credits: Number(available) },
        // A ledger of a version before names none.
        ...(unfinished.length > 0 && { unfinished_task_limit: { unfinished: unfinished.map(unfinishedOf) } }),
        ...(exceeded && { budget_exceeded: exceededDetails(exceeded, required) }),
      }
      return { phase: 'declined', freesKey: true, error: { code, ...(details[code] && { details: details[code] }) } }
    }
    case 'reviewOpened':
      return { billing: 'review', ...(event.value.countsUntil && { countsUntil: timestampDate(event.value.countsUntil) }) }
    case 'creditsSettled':
      // A version before tells no part that came back: then the column stays as it is.
      return { billing: 'settled', ...(event.value.refunded > 0n && { creditsRefunded: Number(event.value.refunded) }) }
    case 'refundPending':
      return { billing: 'refund_pending' }
    case 'creditsRefunded':
      return { billing: 'refunded', creditsRefunded: Number(event.value.credits) }
    case 'mediaRejected': {
      const { code, message, field, urlIndex, measured, limit, freesKey } = event.value
      const details = field ? { url_index: urlIndex, field, ...(measured && { measured }), ...(limit && { limit }) } : undefined
      return { phase: 'refused', freesKey, error: { code, message, ...(details && { details }) } }
    }
    case 'generationAccepted':
      return { phase: 'accepted' }
    case 'generationRefused':
      return { phase: 'refused', freesKey: event.value.freesKey, error: { code: event.value.code, message: event.value.message } }
    case 'generationUncertain':
      return { phase: 'uncertain' }
    case 'generationProgressed':
      return event.value.phase === GenerationPhase.COPYING ? { phase: 'copying' } : { phase: 'accepted' }
    case 'generationCompleted':
      return {
        phase: 'completed',
        videoUrl: event.value.videoUrl,
        ...(event.value.posterUrl && { posterUrl: event.value.posterUrl }),
        ...(event.value.delivery && { delivery: deliveryOf(event.value.delivery) }),
      }
    case 'generationFailed':
      return { phase: 'failed', error: { code: event.value.code, message: event.value.message } }
    case 'generationNotCancelled':
      return { cancelRefusal: cancelRefusals[event.value.reason] ?? 'provider_refused' }
    default:
      return undefined
  }
}

const unfinishedOf = ({ taskId, billingStatus, countsUntil }: WireUnfinished): UnfinishedTask => ({
  task_id: taskId,
  billing_status: billingStatus,
  ...(countsUntil && { until: timestampDate(countsUntil).toISOString() }),
})

const deliveryOf = ({ durationMs, width, height, frameRate, videoCodec, hasAudio, shortfalls }: WireDelivery): Delivery => ({
  duration_ms: Number(durationMs),
  width,
  height,
  frame_rate: frameRate,
  video_codec: videoCodec,
  has_audio: hasAudio,
  shortfalls,
})

/** The event as a change of its task's row. */
export function changeOf(event: PipelineEvent, at: Date): TaskChange | undefined {
  const patch = patchOf(event)
  const id = taskIdOf(event)
  if (!patch || !id) return undefined
  return {
    id,
    phase: patch.phase ?? null,
    phaseRank: patch.phase ? phases[patch.phase] : -1,
    freesKey: patch.freesKey ?? false,
    billingStatus: patch.billing ?? null,
    billingRank: patch.billing ? billingStatuses[patch.billing] : -1,
    countsUntil: patch.countsUntil ?? null,
    creditsUsed: patch.creditsUsed ?? null,
    creditsRefunded: patch.creditsRefunded ?? null,
    videoUrl: patch.videoUrl ?? null,
    posterUrl: patch.posterUrl ?? null,
    delivery: patch.delivery ? JSON.stringify(patch.delivery) : null,
    errorCode: patch.error?.code ?? null,
    errorMessage: patch.error?.message ?? null,
    errorDetails: patch.error?.details ? JSON.stringify(patch.error.details) : null,
    cancelRefusal: patch.cancelRefusal ?? null,
    at,
  }
}

/** Two changes of one task as one; `later` came after `earlier`. */
export function foldChanges(earlier: TaskChange, later: TaskChange): TaskChange {
  const phase = later.phaseRank > earlier.phaseRank ? later : earlier
  const billing = later.billingRank > earlier.billingRank ? later : earlier
  const error = earlier.errorCode !== null ? earlier : later
  return {
    id: earlier.id,
    phase: phase.phase,
    phaseRank: phase.phaseRank,
    freesKey: phase.freesKey,
    billingStatus: billing.billingStatus,
    billingRank: billing.billingRank,
    countsUntil: earlier.countsUntil ?? later.countsUntil,
    creditsUsed: later.creditsUsed ?? earlier.creditsUsed,
    creditsRefunded: later.creditsRefunded ?? earlier.creditsRefunded,
    videoUrl: later.videoUrl ?? earlier.videoUrl,
    posterUrl: later.posterUrl ?? earlier.posterUrl,
    delivery: later.delivery ?? earlier.delivery,
    errorCode: error.errorCode,
    errorMessage: error.errorMessage,
    errorDetails: error.errorDetails,
    cancelRefusal: later.cancelRefusal ?? earlier.cancelRefusal,
    at: new Date(Math.max(earlier.at.getTime(), later.at.getTime())),
  }
}
