import { Failure } from '@filmgate/kit/failure'
import { type Reason, reasons } from '../errors'
import { shownStatus, type Task, type UnfinishedTask } from '../tasks/task'

const reviewRetrySeconds = 10
const limitRetrySeconds = 10
/** Where all that counts is in review, which ends by an operator, a look-up or its bound. */
const reviewsRetrySeconds = 60
/** With a new Idempotency-Key; the provider needs a moment. */
const unavailableRetrySeconds = 10

/** A provider that gave no answers is tried again every half minute, one that an operator brings in takes longer. */
const notOfferedRetrySeconds = 60

/** No configured provider has the model, or none takes new orders: nothing is recorded, so that the key stays free. */
export const notOffered = (): Failure<Reason> =>
  new Failure<Reason>('generation_unavailable', {
    message: 'No provider of this model is available here. GET /models says which models are. Nothing was charged.',
    retryAfterSeconds: notOfferedRetrySeconds,
  })

/**
 * Whether admission is over and the POST can be answered. The provider's answer and the state of the credits come over different topics and
 * are shown together: an acceptance waits for its reservation, a refusal for its refund.
 */
export function admissionOver(task: Pick<Task, 'phase' | 'billingStatus'>): boolean {
  if (task.phase === 'admitting') return false
  if (task.phase === 'declined') return true
  if (task.phase === 'refused') return shownStatus(task) === 'failed'
  return task.billingStatus !== null
}

/** Throws the refusal that admission came to; returns where the generation was accepted. */
export function throwIfRefused(task: Task, now: Date): void {
  switch (task.phase) {
    case 'declined':
      throw declined(task, now)
    case 'refused':
      throw refused(task)
    case 'uncertain':
      throw new Failure<Reason>('acceptance_uncertain', { details: { task_id: task.id }, retryAfterSeconds: reviewRetrySeconds })
    default:
  }
}

function refused(task: Task): Failure<Reason> {
  const reason = reasonOf(task.errorCode)
  return new Failure<Reason>(reason, {
    details: { ...task.errorDetails, task_id: task.id },
    ...(task.errorMessage && { message: task.errorMessage }),
    ...(reason === 'generation_unavailable' && { retryAfterSeconds: unavailableRetrySeconds }),
  })
}

/** No credits were reserved, so none are returned. */
const neverStarted = 'The generation could not be started in time. Nothing was charged.'

function declined(task: Task, now: Date): Failure<Reason> {
  const reason = reasonOf(task.errorCode)
  return new Failure<Reason>(reason, {
    ...(task.errorDetails && { details: task.errorDetails }),
    ...(reason === 'generation_unavailable' && { message: neverStarted }),
    ...(reasons[reason][0] !== 402 && { retryAfterSeconds: declinedRetrySeconds(task.errorDetails, now) }),
  })
}

/** Never longer than until the first of the tasks that are waited for stops counting. */
function declinedRetrySeconds(details: { unfinished?: UnfinishedTask[] } | null, now: Date): number {
  const unfinished = details?.unfinished ?? []
  const bounds = unfinished.flatMap(({ until }) => (until ? Math.ceil((Date.parse(until) - now.getTime()) / 1_000) : []))
  const allInReview = unfinished.length > 0 && bounds.length === unfinished.length
  return Math.max(1, Math.min(allInReview ? reviewsRetrySeconds : limitRetrySeconds, ...bounds))
}

/** Admission took longer than the client was promised. Where credits are held, whether a provider accepted is not known yet. */
export function admissionTimedOut(task: Task | undefined): Failure<Reason> {
  if (task?.billingStatus)
    return new Failure<Reason>('acceptance_uncertain', { details: { task_id: task.id }, retryAfterSeconds: reviewRetrySeconds })
  return new Failure<Reason>('service_unavailable', { retryAfterSeconds: reviewRetrySeconds, internal: 'admission timed out' })
}

/** A code from another service's event; one that is not on the list never reaches a client. */
const reasonOf = (code: string | null): Reason => (code && code in reasons ? (code as Reason) : 'generation_unavailable')
