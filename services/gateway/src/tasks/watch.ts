import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import type { Log } from '@filmgate/kit/telemetry/log'
import type { Redis } from 'ioredis'
import type { Task } from './task'
import { findTasks } from './task-repository'

const channel = 'tasks'
/** After a lost wake-up a waiter sees the change this much later. */
const lookEveryMs = 1_000
const lookTimeoutMs = 3_000
const looksMax = 1_000

type Watcher = { satisfied(task: Task): boolean; resolve(task: Task | undefined): void }

export type TaskWatch = {
  /** The task once `satisfied`, or undefined when `timeoutMs` passes or the signal aborts. */
  wait(taskId: string, satisfied: (task: Task) => boolean, timeoutMs: number, signal?: AbortSignal): Promise<Task | undefined>
  /** Resolves the waits of this replica; for tasks that nothing here waits for, tells the other replicas through Redis. */
  wake(tasks: Task[]): void
  stop(): Promise<void>
}

/**
 * Waits for tasks to change. The row decides: a wake-up only says when to read it, and the rows of all waited-for tasks are read once a
 * second anyway, in one statement.
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
  subscriber.subscribe(channel).catch(error => log.warn({ err: error }, 'wake-up subscription failed, polling once a second'))
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
      // A signal that was aborted earlier fires no event.
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
      // Mostly only one replica waits for a task; a second one sees the change at its next look.
      const elsewhere = tasks.filter(task => !tell(task))
      if (elsewhere.length > 0) publishSoon(elsewhere.map(task => task.id))
    },
    async stop() {
      clearInterval(timer)
    },
  }
}
