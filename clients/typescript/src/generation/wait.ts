import { type ErrorContext, FilmgateError } from '../error.ts'
import type { VideoTask } from '../generated.ts'
import { type Connection, segment } from '../http/connection.ts'
import { endOf, type Limit, leftMs, pause, resumeWords } from '../http/limit.ts'
import { retryAfterOf } from '../http/retry.ts'
import { type Answer, send } from '../http/send.ts'
import { firstPlace, type StreamEnd, streamOnce } from './follow.ts'
import { type Progress, progressTeller } from './progress.ts'

/** As many streams as a server gives one key by default; further waits hold reads, and beyond `heldMax` they poll. */
const streamsMax = 20
const heldMax = 100
const holdSeconds = 30
const pollSeconds = 10
/** Streams in a row that told nothing, after which a task is read instead. */
const emptyStreamsMax = 3

export const readTask = async (connection: Connection, id: string, limit: Limit): Promise<VideoTask> =>
  taskOf((await send<VideoTask>(connection, { path: `/tasks/${segment(id)}` }, limit)).body, limit)

/** The task, where the answer is one. */
export function taskOf(body: Partial<VideoTask> | undefined, { taskId, idempotencyKey, outcomeUnknown }: ErrorContext): VideoTask {
  if (typeof body?.id === 'string' && typeof body.status === 'string') return body as VideoTask
  const message = `The answer is no task.${resumeWords({ taskId, idempotencyKey, outcomeUnknown })}`
  throw new FilmgateError({ code: 'unexpected_answer', message, taskId, idempotencyKey, outcomeUnknown })
}

/**
 * The task once it has ended, completed or failed. By server-sent events; where they don't come by reads that the server holds, else by polls at the
 * server's pace.
 */
export async function waitForEnd(
  connection: Connection,
  start: VideoTask | string,
  limit: Limit,
  onProgress?: (progress: Progress) => unknown,
): Promise<VideoTask> {
  const teller = progressTeller(onProgress)
  let task = typeof start === 'string' ? await readTask(connection, start, limit) : start
  const bound = { ...limit, taskId: task.id }
  const place = firstPlace()
  let streams = true
  let readAt = performance.now()
  let lags = 0
  for (let empty = 0; task.status === 'processing'; ) {
    if (!streams || connection.held >= streamsMax || empty >= emptyStreamsMax) {
      empty = 0
      await teller.task(task)
      task = await readLater(connection, task.id, bound)
      readAt = performance.now()
      continue
    }
    const before = place.after
    const end = await followOnce()
    streams = end !== 'unsupported' && end !== 'crowded'
    empty = place.after > before ? 0 : empty + 1
    if (end !== 'last') {
      await pause(end === 'unsupported' ? 0 : place.retryMs * (1 + Math.random() / 2), bound)
      if (performance.now() - readAt < pollSeconds * 1_000) continue
    }
    task = await readTask(connection, task.id, bound)
    readAt = performance.now()
    // Told as ended, but not read so: a replica that lags.
    if (end === 'last' && task.status === 'processing') await pause((lags++ === 0 ? 1 : pollSeconds) * 1_000, bound)
  }
  await teller.task(task)
  return task

  async function followOnce(): Promise<StreamEnd> {
    const events = streamOnce(connection, task.id, place, bound)
    for (;;) {
      const { done, value } = await events.next()
      if (done) {
        const over = endOf(bound)
        if (over) throw over
        return value
      }
      if (value.type === 'failed') {
        await events.return('last')
        return 'last'
      }
      try {
        if (value.type === 'in_review') task = await readTask(connection, task.id, bound)
        await teller.event(value, task)
      } catch (error) {
        await events.return('cut')
        throw error
      }
    }
  }
}

/** The task after a while: held by the server until it changes, or after the pause that the server names. */
async function readLater(connection: Connection, id: string, limit: Limit): Promise<VideoTask> {
  const holds = connection.held < heldMax
  const seconds = Math.max(1, Math.min(holdSeconds, Math.floor(leftMs(limit) / 1_000)))
  if (!holds) await pause(pollSeconds * 1_000 * (1 + Math.random() / 2), limit)
  if (holds) connection.held++
  let answer: Answer<VideoTask>
  try {
    const headers: Record<string, string> = holds ? { prefer: `wait=${seconds}` } : {}
    answer = await send<VideoTask>(connection, { path: `/tasks/${segment(id)}`, headers, attemptMs: 65_000 }, limit)
  } finally {
    if (holds) connection.held--
  }
  const { headers } = answer
  const body = taskOf(answer.body, limit)
  if (body.status !== 'processing' || !holds) return body
  const wasHeld = headers.has('preference-applied')
  await pause(wasHeld ? 1_000 : Math.max(pollSeconds, retryAfterOf(headers.get('retry-after')) ?? 0) * 1_000, limit)
  return body
}

/** Throws where the task failed. */
export function throwIfFailed(task: VideoTask, { idempotencyKey }: Pick<Limit, 'idempotencyKey'>): void {
  if (task.status !== 'failed') return
  const { code, message } = task.error ?? { code: 'generation_failed' as const, message: 'The generation failed.' }
  throw new FilmgateError({ code, message, details: { task_id: task.id }, taskId: task.id, idempotencyKey, task })
}
