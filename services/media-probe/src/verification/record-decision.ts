import type { MessageInitShape } from '@bufbuild/protobuf'
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Failure } from '@filmgate/kit/failure'
import { deleteHeldJobs, insertJobs, lockHeldJobs } from '@filmgate/kit/jobs/job-repository'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { MediaEventSchema, VerifiedMediaSchema } from '@filmgate/proto/gen/filmgate/v1/media_pb'
import type { InputMedia, Order } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { findingOf, type RejectionCode, rejectionMessage } from '../errors'
import { insertDecision } from './decision-repository'
import type { VerifyJob } from './jobs'
import { deleteJob } from './jobs'
import type { VerificationState } from './states'
import { transitionVerification } from './verification-repository'

export type RecordDeps = { outbox: Outbox; topicPrefix: string; now(): Date }

export type VerifiedInput = MessageInitShape<typeof VerifiedMediaSchema> & { objectKey: string }

/** Publishes the order with its measured copies. Returns false if the lease was lost; then another run decides. */
export const recordVerified = (deps: RecordDeps, job: VerifyJob, order: Order, media: VerifiedInput[]): Promise<boolean> =>
  writeDecision(deps, job, order, 'verified', {
    event: { case: 'mediaVerified', value: { order, media, at: timestampFromDate(deps.now()) } },
    objectKeys: media.map(({ objectKey }) => objectKey),
  })

/**
 * Rejects the order because of one file, or of none if the fault is ours. In time, the client may retry with the same
 * key.
 */
export const recordRejected = (
  deps: RecordDeps,
  job: VerifyJob,
  order: Order,
  failure: Failure<RejectionCode>,
  input?: InputMedia,
  processorSeconds = 0,
): Promise<boolean> => {
  const message = rejectionMessage(failure, input && placeOf(input))
  const freesKey = failure.reason === 'generation_unavailable' && deps.now() < admitBy(order)
  return writeDecision(deps, job, order, 'rejected', {
    event: {
      case: 'mediaRejected',
      value: {
        taskId: order.taskId,
        accountId: order.accountId,
        code: failure.reason,
        message: freesKey ? `${message} Retry with the same Idempotency-Key.` : message,
        field: input?.field ?? '',
        urlIndex: input?.index ?? 0,
        ...findingOf(failure),
        at: timestampFromDate(deps.now()),
        freesKey,
        processorSeconds,
      },
    },
    objectKeys: [],
  })
}

export const admitBy = (order: Order): Date => (order.admitBy ? timestampDate(order.admitBy) : new Date(0))

type Decision = { event: NonNullable<MessageInitShape<typeof MediaEventSchema>['event']>; objectKeys: string[] }

async function writeDecision(
  { outbox, topicPrefix }: RecordDeps,
  job: VerifyJob,
  order: Order,
  to: VerificationState,
  decision: Decision,
): Promise<boolean> {
  return outbox.transaction(async (sql, send) => {
    if (!(await lockHeldJobs(sql, [job])).has(job.id)) return false
    await deleteHeldJobs(sql, [job])
    if (!(await transitionVerification(sql, order.taskId, to, decision.objectKeys))) return false
    if (to === 'rejected') await insertJobs(sql, [deleteJob(order.taskId, 0)])
    const value = encode(topics.media.schema, { event: decision.event })
    await insertDecision(sql, order.taskId, value)
    send([{ topic: topicName(topicPrefix, 'media'), key: order.accountId, value }])
    return true
  })
}

const placeOf = ({ field, index }: InputMedia): string => (field.endsWith('s') ? `${field}[${index}]` : field)
