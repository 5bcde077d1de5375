import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampFromDate, timestampFromMs } from '@bufbuild/protobuf/wkt'
import type { GenerationsEventSchema, PosterRequestSchema } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { GenerationPhase, type NotCancelledReason, WaitingFor } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import type { Delivery } from '../delivery/price-delivery'
import type { RefusalCode } from '../providers/connector'
import type { Attempt } from './attempt'

export type PosterRequestInit = MessageInitShape<typeof PosterRequestSchema>
export type GenerationsEventInit = NonNullable<MessageInitShape<typeof GenerationsEventSchema>['event']>

/** A provider's refusal, or a cancel before any provider had the order. */
type RefusedCode = RefusalCode | 'cancelled'

/** Words the client reads. */
export const refusalMessages: Record<RefusedCode, string> = {
  cancelled: 'The task was cancelled before a provider had it. Credits are returned.',
  prompt_rejected: 'The prompt or its media were refused by the content rules.',
  generation_unavailable: 'Generation is unavailable at the moment.',
}

const ownFaultMessage =
  'A fault of ours kept the provider from reading the media. Nothing was charged. Retry with the same Idempotency-Key.'

export const failureMessages = {
  generation_failed:
    'The provider accepted the generation and then could not make it. The same request may succeed under a new Idempotency-Key.',
  prompt_rejected: refusalMessages.prompt_rejected,
  output_moderated: 'The provider withheld the video by its content rules. The same request may be withheld again.',
  output_unavailable:
    'The finished video could not be fetched from the provider. The same request may succeed under a new Idempotency-Key.',
  cancelled: 'The provider cancelled the generation, as it was asked to. Credits are returned.',
  generation_unavailable: 'A fault of ours kept the generation from being made. Nothing was charged. Retry under a new Idempotency-Key.',
} as const
export type FailureCode = keyof typeof failureMessages

/** What an event needs of its attempt. */
export type EventSubject = { id: string; taskId: string; accountId: string; number: number; traceparent: string | null }

const head = ({ taskId, accountId }: EventSubject, at: Date) => ({ taskId, accountId, at: timestampFromDate(at) })

/** `heldAfter`: without an end by then it is held for review. */
export type AcceptedTimes = { at: Date; heldAfter?: Date }

export const accepted = (attempt: EventSubject, { at, heldAfter }: AcceptedTimes): GenerationsEventInit => ({
  case: 'generationAccepted',
  value: {
    ...{ ...head(attempt, at), attemptId: attempt.id, attemptNumber: attempt.number },
    ...(heldAfter && { heldAfter: timestampFromDate(heldAfter) }),
  },
})

export const refused = (attempt: EventSubject, at: Date, code: RefusedCode): GenerationsEventInit => ({
  case: 'generationRefused',
  value: { ...head(attempt, at), code, message: refusalMessages[code], attemptNumber: attempt.number },
})

/** Refused for a fault of ours, while its client still waits: the same request may be sent again under the same key. */
export const refusedForOwnFault = (attempt: EventSubject, at: Date): GenerationsEventInit => ({
  case: 'generationRefused',
  value: {
    ...head(attempt, at),
    code: 'generation_unavailable',
    message: ownFaultMessage,
    freesKey: true,
    attemptNumber: attempt.number,
  },
})

/** `takenBy`: the latest moment at which its provider can have taken it. Null: it has ended there, so that nothing of it runs. */
export const uncertain = (
  attempt: EventSubject & Pick<Attempt, 'generationMsMax'>,
  at: Date,
  { cause, takenBy }: { cause: string; takenBy: Date | null },
): GenerationsEventInit => {
  const mayRunUntil = takenBy ? timestampFromMs(takenBy.getTime() + attempt.generationMsMax) : timestampFromDate(at)
  return {
    case: 'generationUncertain',
    value: { ...head(attempt, at), attemptId: attempt.id, cause, attemptNumber: attempt.number, mayRunUntil },
  }
}

export const copying = (attempt: EventSubject, at: Date): GenerationsEventInit => ({
  case: 'generationProgressed',
  value: { ...head(attempt, at), phase: GenerationPhase.COPYING },
})

/** It goes on, as far as its provider tells. */
export const rendering = (
  attempt: EventSubject,
  at: Date,
  { percent, queuePosition }: { percent: number | null; queuePosition: number | null },
): GenerationsEventInit => ({
  case: 'generationProgressed',
  value: {
    ...{ ...head(attempt, at), phase: GenerationPhase.RENDERING },
    ...(percent !== null && { percent }),
    ...(queuePosition !== null && { queuePosition }),
  },
})

/** It goes on, and something is missing at its provider; or, with nothing missing, no longer. */
export const waitingFor = (
  attempt: EventSubject,
  at: Date,
  { what, heldAfter }: { what: 'file' | 'status' | 'nothing'; heldAfter: Date },
): GenerationsEventInit => ({
  case: 'generationProgressed',
  value: {
    ...head(attempt, at),
    phase: what === 'file' ? GenerationPhase.COPYING : GenerationPhase.RENDERING,
    waitingFor: { file: WaitingFor.FILE, status: WaitingFor.STATUS, nothing: WaitingFor.UNSPECIFIED }[what],
    heldAfter: timestampFromDate(heldAfter),
  },
})

/** `dueCredits`: null where the whole reservation is due. */
type CompletedOutput = {
  videoUrl: string
  bytes: number
  sha256: string
  poster: PosterRequestInit | undefined
  posterUrl: string
  delivery: Delivery | null
  dueCredits: number | null
}

export const completed = (
  attempt: EventSubject & Pick<Attempt, 'provider'>,
  at: Date,
  { bytes, poster, delivery, dueCredits, ...output }: CompletedOutput,
): GenerationsEventInit => ({
  case: 'generationCompleted',
  value: {
    ...{ ...head(attempt, at), ...output, provider: attempt.provider, bytes: BigInt(bytes), ...(poster && { poster }) },
    ...(delivery && { delivery: { ...delivery, durationMs: BigInt(delivery.durationMs) } }),
    ...(dueCredits !== null && { dueCredits: BigInt(dueCredits) }),
  },
})

/** A cancel was asked for, and the generation goes on. */
export const notCancelled = (attempt: EventSubject, at: Date, reason: NotCancelledReason): GenerationsEventInit => ({
  case: 'generationNotCancelled',
  value: { ...head(attempt, at), reason },
})

export const failed = (attempt: EventSubject, at: Date, code: FailureCode): GenerationsEventInit => ({
  case: 'generationFailed',
  value: { ...head(attempt, at), code, message: failureMessages[code] },
})

/** As the outbox takes it: under the account's key, in the trace of the request. */
export const outgoing = (topicPrefix: string, attempt: EventSubject, event: GenerationsEventInit) => ({
  topic: topicName(topicPrefix, 'generations'),
  key: attempt.accountId,
  value: encode(topics.generations.schema, { event }),
  traceparent: attempt.traceparent ?? undefined,
})
