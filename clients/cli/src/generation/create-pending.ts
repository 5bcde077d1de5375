import { type Filmgate, FilmgateError, type VideoTask } from '@filmgate/client'
import type { Session } from '../session'
import { forgetPending, type PendingGeneration, savePending } from '../state/pending-generation'
import { exitCodes, Failure } from '../terminal/failure'
import { asRequest } from './as-request'
import { checkTaskId } from './task-id'

/**
 * The one POST. What it sends is on the disk before it leaves, and stays there until the task's end is known, so that the
 * same POST can be sent again whatever happens in between. A refusal that is sure deletes it. `isAgain`: an earlier call
 * may have made the task.
 */
export async function createPending(session: Session, filmgate: Filmgate, pending: PendingGeneration, isAgain = false): Promise<VideoTask> {
  const { terminal, folders, signal } = session
  const { idempotencyKey, request, tags, cancelAfterSeconds } = pending
  session.onInterrupt(() => openFailure(pending))
  await savePending(folders, pending)
  terminal.note('creating the task')
  try {
    const task = await filmgate.create(asRequest(request), { idempotencyKey, tags, cancelAfterSeconds, signal })
    await savePending(folders, { ...pending, taskId: checkTaskId(task.id) })
    terminal.note(`task ${task.id}`)
    return task
  } catch (error) {
    if (!(error instanceof FilmgateError)) throw error
    if (isSure(error, isAgain)) await forgetPending(folders, idempotencyKey)
    else {
      if (error.taskId !== undefined) await savePending(folders, { ...pending, taskId: checkTaskId(error.taskId) })
      terminal.note('Whether there is a video is not known. Go on with: filmgate generate --resume (it is charged once)')
    }
    throw error
  }
}

/** By these the gateway refuses after it has looked for the Idempotency-Key; by 401 or 429 it says nothing of earlier calls. */
const afterLookUp = [400, 402, 409, 503]

/** Whether there is no task that goes on. */
const isSure = ({ outcomeUnknown, status }: FilmgateError, isAgain: boolean): boolean =>
  !outcomeUnknown && (!isAgain || (status !== undefined && afterLookUp.includes(status)))

const openFailure = ({ idempotencyKey }: PendingGeneration) =>
  new Failure('Interrupted while the task was created. Whether there is one is not known.', {
    exit: exitCodes.interrupted,
    code: 'interrupted',
    hints: ['Go on with: filmgate generate --resume (it is charged once).'],
    facts: { idempotency_key: idempotencyKey },
  })
