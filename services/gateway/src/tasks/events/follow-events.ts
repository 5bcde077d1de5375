import type { Log } from '@filmgate/kit/telemetry/log'
import type { Task } from '../task'
import type { TaskWatch } from '../watch'
import type { HeldStream } from './event-streams'
import { isLast, type TaskEvent } from './task-events'

export type ReadEvents = (taskId: string, leftMs?: number) => Promise<TaskEvent[]>
export type FollowDeps = { watch: Pick<TaskWatch, 'wait'>; readEvents: ReadEvents; log: Pick<Log, 'warn'> }

/** Proxies end a connection that is silent for a minute, or for half of one. */
const heartbeatMs = 15_000
const heartbeat = ':\n\n'
/** Clients that a drain sends away come back spread over so long. */
const retryMs = { min: 1_000, spread: 4_000 }

/**
 * A task's events behind the first `after` as server-sent events, until the last one or until the stream is ended. It is made as its client reads it:
 * for one that doesn't, nothing is kept.
 */
export function streamEvents(
  deps: FollowDeps,
  task: Task,
  { after, stream }: { after: number; stream: HeldStream },
): ReadableStream<Uint8Array> {
  const texts = followEvents(deps, task, after, stream.signal)
  const encoder = new TextEncoder()
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await texts.next()
        if (!done) return controller.enqueue(encoder.encode(value))
        stream.close()
        controller.close()
      },
      cancel: () => stream.close(),
    },
    { highWaterMark: 0 },
  )
}

async function* followEvents(
  { watch, readEvents, log }: FollowDeps,
  task: Task,
  after: number,
  signal: AbortSignal,
): AsyncGenerator<string> {
  yield `retry: ${retryMs.min + Math.floor(Math.random() * retryMs.spread)}\n\n`
  // The server sends the head with the second piece, which may come only with the next event.
  yield heartbeat
  let sent = after
  let seen = task
  while (!signal.aborted) {
    const events = await readEvents(task.id).catch(error => log.warn({ err: error }, 'events of a task not read, stream ended'))
    if (!events) return
    for (const event of events.slice(sent)) yield `id: ${event.id}\ndata: ${JSON.stringify(event)}\n\n`
    sent = Math.max(sent, events.length)
    if (isLast(events.at(-1))) return
    const before = stampOf(seen)
    const changed = await watch.wait(task.id, later => stampOf(later) !== before, heartbeatMs, signal)
    if (changed) seen = changed
    else if (!signal.aborted) yield heartbeat
  }
}

/** Differs where an event may have come. */
const stampOf = ({ updatedAt, phase, billingStatus }: Task): string => `${updatedAt.getTime()} ${phase} ${billingStatus}`
