import { withDeadline } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/log'
import type { Sql } from '@filmgate/kit/postgres'
import type { Redis } from 'ioredis'
import type { Task } from './task'
import { findTasks } from './task-repository'

const channel = 'tasks'
/** A lost wake-up costs this and never an answer. */
const lookEveryMs = 1_000
const lookTimeoutMs = 3_000
const looksMax = 1_000

type Watcher = { satisfied(task: Task): boolean; resolve(task: Task | undefined): void }

export type TaskWatch = {
  /** The task once `satisfied`, or undefined when `timeoutMs` passes or the signal aborts. */
  wait(taskId: string, satisfied: (task: Task) => boolean, timeoutMs: number, signal?: AbortSignal): Promise<Task | undefined>
  /** Tells the waiters of this replica; through Redis those of the others, about tasks that nobody waits for here. */
  wake(tasks: Task[]): void
  stop(): Promise<void>
}

/**
 * Waiting for a task to change. The row is the truth: wake-ups only say when to look, and everyone waiting looks once a second
 * anyway, all in one statement.
 */
export function createTaskWatch({ sql, redis, subscriber, log }: { sql: Sql; redis: Redis; subscriber: Redis; log: Log }): TaskWatch {
  const watchers = new Map<string, Set<Watcher>>()
  let toPublish: string[] = []

  /** Returns whether anybody here waits for the task. */
  function tell(task: Task): boolean {
    const waiting = watchers.get(task.id)
    for (const watcher of waiting ?? []) if (watcher.satisfied(task)) watcher.resolve(task)
    return waiting !== undefined
  }

  async function look(ids: string[]): Promise<void> {
    for (let from = 0; from < ids.length; from += looksMax) {
      const tasks = await withDeadline(findTasks(sql, ids.slice(from, from + looksMax)), lookTimeoutMs, 'the database')
      for (const task of tasks) tell(task)
    }
  }

  const lookQuietly = (ids: string[]) => void look(ids).catch(error => log.warn({ err: error }, 'waiting tasks not read'))

  function publishSoon(ids: string[]) {
    toPublish.push(...ids)
    if (toPublish.length > ids.length) return
    queueMicrotask(() => {
      const text = toPublish.join(',')
      toPublish = []
      redis.publish(channel, text).catch(error => log.debug({ err: error }, 'wake-up not published'))
    })
  }

  subscriber.on('message', (_, text: string) => {
    const ids = text.split(',').filter(id => watchers.has(id))
    if (ids.length > 0) lookQuietly(ids)
  })
  subscriber.subscribe(channel).catch(error => log.warn({ err: error }, 'not subscribed to wake-ups, looking once a second'))
  const timer = setInterval(() => {
    if (watchers.size > 0) lookQuietly([...watchers.keys()])
  }, lookEveryMs)

  return {
    async wait(taskId, satisfied, timeoutMs, signal) {
      const { promise, resolve } = Promise.withResolvers<Task | undefined>()
      const watcher: Watcher = { satisfied, resolve }
      const own = watchers.get(taskId) ?? new Set()
      watchers.set(taskId, own.add(watcher))
      const timeout = setTimeout(() => resolve(undefined), timeoutMs)
      const abort = () => resolve(undefined)
      signal?.addEventListener('abort', abort, { once: true })
      // Who left before says so no more.
      if (signal?.aborted) abort()
      try {
        return await promise
      } finally {
        clearTimeout(timeout)
        signal?.removeEventListener('abort', abort)
        own.delete(watcher)
        if (own.size === 0) watchers.delete(taskId)
      }
    },
    wake(tasks) {
      // Who waits here is mostly the only one; a twin elsewhere sees it when it looks.
      const elsewhere = tasks.filter(task => !tell(task))
      if (elsewhere.length > 0) publishSoon(elsewhere.map(task => task.id))
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
