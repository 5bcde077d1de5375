import type { TaskEvent, TaskStatus, VideoTask, VideoTaskList } from '../generated.ts'
import { followTask } from '../generation/follow.ts'
import { readTask } from '../generation/wait.ts'
import { type Connection, segment } from '../http/connection.ts'
import { type CallOptions, limitOf } from '../http/limit.ts'
import { send } from '../http/send.ts'
import { callMs, type Paged, paged } from './paged.ts'

const eventsMs = 3_600_000

export type ListTasks = CallOptions & {
  status?: TaskStatus | undefined
  /** With this tag only. */
  tag?: { name: string; value: string } | undefined
  cursor?: string | undefined
  /** Rows a page has, 1 to 100. */
  limit?: number | undefined
}

export const tasks = (connection: Connection) => ({
  /** The task as it is now. */
  get: (id: string, options: CallOptions = {}): Promise<VideoTask> => readTask(connection, id, limitOf(options, callMs, { taskId: id })),

  /** The account's tasks, newest first, over all pages. */
  list: ({ tag, ...options }: ListTasks = {}): Paged<VideoTask> => paged<VideoTask>(connection, '/tasks', { ...options, ...tagQuery(tag) }),

  /** The task that this API key has bound to an Idempotency-Key; undefined where there is none. */
  async find(idempotencyKey: string, options: CallOptions = {}): Promise<VideoTask | undefined> {
    const query = { idempotency_key: idempotencyKey }
    const limit = limitOf(options, callMs, { idempotencyKey })
    return (await send<VideoTaskList>(connection, { path: '/tasks', query }, limit)).body.data[0]
  },

  /**
   * Ends a task that no provider has, and asks one that has it. Returns the task: `failed` with `cancelled`, or still `processing` while the provider
   * is asked. Throws `not_cancellable` otherwise.
   */
  async cancel(id: string, options: CallOptions = {}): Promise<VideoTask> {
    const call = { method: 'POST', path: `/tasks/${segment(id)}/cancel` } as const
    return (await send<VideoTask>(connection, call, limitOf(options, callMs, { taskId: id }))).body
  },

  /** What happens to a task, from its first event, or behind `after`, until its last. Goes on over broken connections without loss or repeat. */
  events: (id: string, { after, ...options }: CallOptions & { after?: string | undefined } = {}): AsyncIterable<TaskEvent> =>
    followTask(connection, id, Number(after ?? 0), limitOf(options, eventsMs, { taskId: id })),
})

export const tagQuery = (tag: ListTasks['tag']) => (tag ? { tag: `${tag.name}=${tag.value}` } : {})
