import type { TransactionSql } from '@filmgate/kit/database/postgres'
import { ClientGoneError, Failure } from '@filmgate/kit/failure'
import type { Outbox } from '@filmgate/kit/outbox/outbox'
import type { Reason } from '../errors'
import { shownStatus, type Task } from '../tasks/task'
import type { TaskWatch } from '../tasks/watch'
import { type Canceller, type RequestCancelsDeps, requestCancels } from './request-cancels'

export type CancelDeps = RequestCancelsDeps & {
  outbox: Outbox
  watch: Pick<TaskWatch, 'wait'>
  /** While databases are brought back: the dispatcher may have lost the attempt that a cancel would be about. */
  recovering?: boolean
}

/** Before a submit the end is there within tenths of a second; a provider may take longer than anybody waits. */
const answerWaitMs = 5_000
const recoveryRetrySeconds = 60
const recoveringMessage = 'Data is being restored. The task was not cancelled. Ask again after the seconds in Retry-After.'

/** Why a task is not cancelled, as its client reads it. The codes are those of `details.reason`. */
export const notCancelledBecause: Record<string, string> = {
  ended: 'This task has ended.',
  finished: 'The video of this task is made and is being stored.',
  provider_cannot: 'A provider is making the video and offers no cancel.',
  provider_refused: 'A provider is making the video and does not cancel it any more.',
  provider_silent: 'The provider does not answer to the cancel. Read the task for its end.',
  uncertain: 'Whether a provider is making the video is not known yet, so that it can’t be cancelled.',
}

type Cancel = {
  task: Task
  by: Canceller
  signal: AbortSignal
  /** Written together with the request. */
  record?: (sql: TransactionSql) => Promise<void>
}

/**
 * Asks for the end of a task and waits a moment for what comes of it. Returns the task: ended by a cancel, or still processing where its
 * provider has been asked. 409 where it is not to be cancelled. Asked again, it changes nothing.
 */
export async function cancelTask(deps: CancelDeps, { task, by, signal, record }: Cancel): Promise<Task> {
  if (shownStatus(task) !== 'processing') return cancelledOr409(task)
  if (deps.recovering)
    throw new Failure<Reason>('service_unavailable', { message: recoveringMessage, retryAfterSeconds: recoveryRetrySeconds })
  await deps.outbox.transaction(async (sql, send) => {
    await record?.(sql)
    await requestCancels(deps, { sql, send }, [task.id], by)
  })
  const answered = await deps.watch.wait(task.id, isAnswered, answerWaitMs, signal)
  if (signal.aborted) throw new ClientGoneError()
  return answered ? cancelledOr409(answered) : task
}

const isAnswered = (task: Task): boolean => shownStatus(task) !== 'processing' || task.cancelRefusal !== null

function cancelledOr409(task: Task): Task {
  const isEnded = shownStatus(task) !== 'processing'
  if (isEnded && task.errorCode === 'cancelled') return task
  const reason = isEnded ? 'ended' : (task.cancelRefusal ?? 'ended')
  throw new Failure<Reason>('not_cancellable', {
    ...(notCancelledBecause[reason] && { message: notCancelledBecause[reason] }),
    details: { task_id: task.id, reason },
  })
}
