import { FilmgateError } from '../error.ts'
import type { VideoGenerationRequest, VideoTask } from '../generated.ts'
import type { Connection } from '../http/connection.ts'
import type { CallOptions, Limit } from '../http/limit.ts'
import { send } from '../http/send.ts'
import { readTask, taskOf } from './wait.ts'

export type CreateOptions = CallOptions & {
  /**
   * Names this generation, 1 to 160 of `A-Z a-z 0-9 . _ : -`; else made once a call. Keep it before the call: the same request with the same key is
   * the same task, also after a crash.
   */
  idempotencyKey?: string | undefined
  /** Called with the task as soon as its id is known; awaited, so that it can be stored. */
  onCreated?: ((task: VideoTask, created: { idempotencyKey: string }) => unknown) | undefined
  /** Marks the task for your own books: up to eight, the names in lower case. */
  tags?: Record<string, string> | undefined
  /** Cancels the task after so many seconds, 1 to 86,400. */
  cancelAfterSeconds?: number | undefined
}

/** The contract's read timeout: the first answer may take minutes. */
const attemptMs = 260_000

/** The options' Idempotency-Key, or a new one. */
export function idempotencyKeyOf({ idempotencyKey = crypto.randomUUID() }: CreateOptions): string {
  if (/^[a-zA-Z0-9._:-]{1,160}$/.test(idempotencyKey)) return idempotencyKey
  throw new FilmgateError({ code: 'invalid_argument', message: 'An idempotencyKey has 1 to 160 letters, digits and . _ : -' })
}

/**
 * One POST with its retries, all with the same key and the same bytes: one task, charged once. Also returns a task that failed where the key
 * belongs to one.
 */
export async function create(
  connection: Connection,
  request: VideoGenerationRequest,
  { onCreated, tags, cancelAfterSeconds }: CreateOptions,
  limit: Limit & { idempotencyKey: string },
): Promise<VideoTask> {
  const { idempotencyKey } = limit
  const headers = {
    'idempotency-key': idempotencyKey,
    ...(tags && { 'filmgate-tags': tagsHeader(tags) }),
    ...(cancelAfterSeconds !== undefined && { 'filmgate-cancel-after': String(cancelAfterSeconds) }),
  }
  const call = { method: 'POST', path: '/video/generations', headers, body: JSON.stringify(request), attemptMs, creates: true } as const
  const task = await send<VideoTask>(connection, call, limit).then(
    ({ body }) => taskOf(body, { ...limit, outcomeUnknown: true }),
    async (error: FilmgateError) => {
      // The task is there, and whether a provider has it shows in time.
      if (error.code !== 'acceptance_uncertain' || error.taskId === undefined) throw error
      return readTask(connection, error.taskId, { ...limit, taskId: error.taskId, outcomeUnknown: true }).catch((unread: FilmgateError) => {
        throw Object.assign(unread, { outcomeUnknown: true })
      })
    },
  )
  await onCreated?.(task, { idempotencyKey })
  return task
}

const tagsHeader = (tags: Record<string, string>): string =>
  Object.entries(tags)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .join(',')
