import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Filmgate, VideoTask } from '@filmgate/client'

/** An event as the service posts it. Tags are not in a list of tasks, so they are null. */
export type Happened = {
  id: string
  body: { type: 'task.completed' | 'task.failed' | 'task.in_review'; timestamp: string; data: { task: VideoTask; tags: null } }
}

const intervalMsMin = 2_000
const pageSize = 100
const pagesMax = 5
/** Ended tasks that are remembered; older ones have left the pages that are read. */
const rememberedMax = 5_000

/** Reads take at most a third of the key's requests, so that the account's programs go on beside. */
export const listenInterval = (requestsPerMinute: number): number =>
  Math.max(intervalMsMin, Math.ceil(60_000 / Math.max(1, requestsPerMinute / 3)))

type Deps = { intervalMs: number; signal: AbortSignal; onStart(): void }

/** What happens to the account's tasks from now on, found by reading them again and again. It ends when `signal` is aborted. */
export async function* followTasks(filmgate: Filmgate, { intervalMs, signal, onStart }: Deps): AsyncGenerator<Happened> {
  const states = new Map<string, string>()
  const first = await filmgate.tasks.list({ limit: pageSize, signal }).page()
  for (const task of first.data) states.set(task.id, stateOf(task))
  const before = first.data[0]?.created_at ?? ''
  onStart()
  for (;;) {
    for (const task of (await newest(filmgate, { states, intervalMs, signal })).reverse()) {
      const known = states.get(task.id)
      // On a further page there may be tasks from before the start.
      if (known === stateOf(task) || (known === undefined && task.created_at <= before)) continue
      states.set(task.id, stateOf(task))
      const type = typeOf(task)
      if (type)
        yield { id: `msg_${randomUUID().replaceAll('-', '')}`, body: { type, timestamp: task.updated_at, data: { task, tags: null } } }
    }
    const ended = [...states].filter(([, state]) => !isOpen(state))
    for (const [id] of ended.slice(0, Math.max(0, ended.length - rememberedMax))) states.delete(id)
  }
}

const isOpen = (state: string) => state === 'processing' || state === 'review'
const stateOf = ({ status, billing_status: billing }: VideoTask) => (status === 'processing' && billing === 'review' ? 'review' : status)

const typeOf = (task: VideoTask) =>
  (({ completed: 'task.completed', failed: 'task.failed', review: 'task.in_review', processing: undefined }) as const)[
    stateOf(task) as 'completed' | 'failed' | 'review' | 'processing'
  ]

type Reading = { states: ReadonlyMap<string, string>; intervalMs: number; signal: AbortSignal }

/** The newest tasks down to those that are known, and further down to those that have not ended. Before each page it waits. */
async function newest(filmgate: Filmgate, { states, intervalMs, signal }: Reading): Promise<VideoTask[]> {
  const open = new Set([...states].filter(([, state]) => isOpen(state)).map(([id]) => id))
  const found: VideoTask[] = []
  let cursor: string | undefined
  for (let pages = 0; pages < pagesMax; pages++) {
    await sleep(intervalMs, undefined, { signal })
    const { data, next_cursor: next } = await filmgate.tasks.list({ limit: pageSize, cursor, signal }).page()
    found.push(...data)
    for (const { id } of data) open.delete(id)
    const reachesKnown = states.size === 0 || data.some(({ id }) => states.has(id))
    if (!next || (reachesKnown && open.size === 0)) break
    cursor = next
  }
  return found
}
