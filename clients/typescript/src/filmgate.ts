import { FilmgateError, withContext } from './error.ts'
import { checkTarget } from './files/save.ts'
import type { ApiKey, CreditBalance, Estimate, VideoGenerationRequest, VideoTask } from './generated.ts'
import { type CreateOptions, create, idempotencyKeyOf } from './generation/create.ts'
import type { Progress } from './generation/progress.ts'
import { type Video, videoOf } from './generation/video.ts'
import { throwIfFailed, waitForEnd } from './generation/wait.ts'
import { type Connection, connect, type FilmgateOptions } from './http/connection.ts'
import { type CallOptions, type Limit, leftMs, limitOf } from './http/limit.ts'
import { send } from './http/send.ts'
import { models } from './resources/models.ts'
import { callMs } from './resources/paged.ts'
import { tasks } from './resources/tasks.ts'
import { uploads } from './resources/uploads.ts'
import { usage } from './resources/usage.ts'
import { webhookEndpoints } from './resources/webhook-endpoints.ts'

export type WaitOptions = CallOptions & {
  /** Called with each change; awaited. */
  onProgress?: ((progress: Progress) => unknown) | undefined
  /** Where to save the MP4 (Node, Bun, Deno). */
  saveTo?: string | undefined
}

export type GenerateOptions = CreateOptions & WaitOptions

/** A video takes minutes; one in review may take an hour. */
const videoMs = 3_600_000

/**
 * A client of one API key. Every call throws a `FilmgateError` with a `code`; every call takes `signal` and `timeoutMs`, by default an hour for
 * `generate`, `create` and `wait`, and two minutes for others.
 */
export class Filmgate {
  readonly #connection: Connection
  readonly models: ReturnType<typeof models>
  readonly tasks: ReturnType<typeof tasks>
  readonly usage: ReturnType<typeof usage>
  readonly uploads: ReturnType<typeof uploads>
  readonly webhooks: ReturnType<typeof webhookEndpoints>

  /** Throws `invalid_configuration` without a key or an address, in the options or in the environment. */
  constructor(options: FilmgateOptions = {}) {
    const connection = connect(options)
    this.#connection = connection
    this.models = models(connection)
    this.tasks = tasks(connection)
    this.usage = usage(connection)
    this.uploads = uploads(connection)
    this.webhooks = webhookEndpoints(connection)
  }

  /**
   * Makes a video and waits for it: one task, charged once, however often the connection breaks. Throws where it is refused or fails; the error then
   * has `taskId` and `idempotencyKey` as far as they are known.
   */
  async generate(request: VideoGenerationRequest, options: GenerateOptions = {}): Promise<Video> {
    const limit = creationLimit(options)
    if (options.saveTo !== undefined) await checkTarget(options.saveTo, limit)
    const task = await create(this.#connection, request, options, limit)
    return this.#finish(task, options, limit)
  }

  /** Only the request with its retries: returns the task, which `wait` follows. */
  async create(request: VideoGenerationRequest, options: CreateOptions = {}): Promise<VideoTask> {
    return create(this.#connection, request, options, creationLimit(options))
  }

  /** Waits for a task, also for one of an earlier process. Throws with the task's code where it failed. */
  async wait(task: string | VideoTask, options: WaitOptions = {}): Promise<Video> {
    return this.#finish(task, options, limitOf(options, videoMs))
  }

  /** What the request would cost now, checked as a generation is. Charges and makes nothing. */
  async estimate(request: VideoGenerationRequest, options: CallOptions = {}): Promise<Estimate> {
    const call = { method: 'POST', path: '/video/estimate', body: JSON.stringify(request) } as const
    return (await send<Estimate>(this.#connection, call, limitOf(options, callMs))).body
  }

  /** The paid balance. */
  async credits(options: CallOptions = {}): Promise<CreditBalance> {
    return (await send<CreditBalance>(this.#connection, { path: '/credits' }, limitOf(options, callMs))).body
  }

  /** The key that asks: its limits, its budgets, and what it spent. */
  async key(options: CallOptions = {}): Promise<ApiKey> {
    return (await send<ApiKey>(this.#connection, { path: '/keys/self' }, limitOf(options, callMs))).body
  }

  async #finish(start: string | VideoTask, { onProgress, saveTo }: WaitOptions, limit: Limit): Promise<Video> {
    const known = { ...limit, taskId: typeof start === 'string' ? start : start.id }
    try {
      const task = await waitForEnd(this.#connection, start, known, onProgress)
      throwIfFailed(task, known)
      const video = videoOf(this.#connection, task)
      if (saveTo !== undefined) await video.save(saveTo, { signal: limit.signal, timeoutMs: limit.chosen ? leftMs(limit) : undefined })
      return video
    } catch (error) {
      throw error instanceof FilmgateError ? withContext(error, known) : error
    }
  }
}

function creationLimit(options: CreateOptions): Limit & { idempotencyKey: string } {
  const idempotencyKey = idempotencyKeyOf(options)
  return { ...limitOf(options, videoMs, { idempotencyKey }), idempotencyKey }
}
