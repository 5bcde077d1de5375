import { Failure } from '@filmgate/kit/failure'
import { Elysia } from 'elysia'
import type { Reason } from '../../errors'
import { type AuthenticateDeps, authenticate } from '../../keys/authenticate'
import type { FindShownTask } from '../find-task'
import { pollSeconds, shownStatus } from '../task'
import { taskIdForm } from '../task-id'
import type { EventStreams } from './event-streams'
import { type FollowDeps, streamEvents } from './follow-events'
import { isLast } from './task-events'

export type TaskEventsDeps = FollowDeps & { findShownTask: FindShownTask; eventStreams: Pick<EventStreams, 'open'> }

const streamType = 'text/event-stream'

/** GET /tasks/{id}/events: what happened to the task, as a list; as server-sent events with `Accept: text/event-stream`, held until the task's last one. */
export const taskEventRoutes = (deps: TaskEventsDeps & AuthenticateDeps) =>
  new Elysia({ name: 'task-events', normalize: false })
    .use(authenticate(deps))
    .get('/tasks/:id/events', async function getTaskEvents({ params, caller, leftMs, confirmKey: confirm, set, request }) {
      if (!taskIdForm.test(params.id)) throw new Failure<Reason>('invalid_task_id')
      const task = await deps.findShownTask(params.id, caller.accountId, leftMs)
      if (!task) throw new Failure<Reason>('task_not_found')
      set.headers.vary = 'Accept'
      if (!wantsStream(request)) {
        if (shownStatus(task) === 'processing') set.headers['retry-after'] = pollSeconds
        return { object: 'list' as const, data: await deps.readEvents(task.id, leftMs) }
      }
      const after = readLastEventId(request)
      // To a client that has them all: 204 has an EventSource ask no more (HTML, 9.2).
      const events = after > 0 ? await deps.readEvents(task.id, leftMs) : []
      if (after >= events.length && isLast(events.at(-1))) {
        set.status = 204
        return undefined
      }
      const stream = deps.eventStreams.open(caller.keyId, { confirm, signal: request.signal })
      set.headers['content-type'] = streamType
      // What ends a stream ends its connection: a drain waits for none that is kept.
      set.headers.connection = 'close'
      set.headers['x-accel-buffering'] = 'no'
      return new Response(streamEvents(deps, task, { after, stream }))
    })

const wantsStream = ({ headers }: Request): boolean => /(^|[,\s])text\/event-stream(\s*[;,]|\s*$)/i.test(headers.get('accept') ?? '')

/** How many events the client has. */
function readLastEventId({ headers }: Request): number {
  const id = headers.get('last-event-id') ?? ''
  if (/^\d{0,9}$/.test(id)) return Number(id)
  const issue = { path: 'Last-Event-ID', rule: 'header', message: 'Last-Event-ID must be the id of an event of this task' }
  throw new Failure<Reason>('invalid_request', { details: { issues: [issue] }, message: 'A header has a fault. See details.issues.' })
}
