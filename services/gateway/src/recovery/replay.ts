import { Failure } from '@filmgate/kit/failure'
import type { Outbox, Send } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { topicName } from '@filmgate/proto/topics'
import { insertAuditEntry } from '../audit-log/audit-repository'
import type { Reason } from '../errors'
import { findTasks } from '../tasks/task-repository'
import { findRequests, type Silence, type TaskRequest, takeSilentRequests } from './task-request-repository'

export type ReplayDeps = { outbox: Outbox; topicPrefix: string }

const replayed = counter('tasks_replayed', 'Tasks whose request was published again, because nothing came of them or an operator asked', {
  by: ['silence', 'operator'],
})

/** Publishes again the requests of tasks that have not ended and of which no event has come for long. Returns how many. */
export const replaySilent = (deps: ReplayDeps, silence: Silence): Promise<number> =>
  deps.outbox.transaction(async (sql, send) => {
    const silent = await takeSilentRequests(sql, silence)
    publish(deps, send, silent)
    replayed.add(silent.length, { by: 'silence' })
    return silent.length
  })

/** Publishes a task's request again. Returns the names of the events: none where the task has ended or its request is not kept. */
export const replayTask = (deps: ReplayDeps, { taskId, operator }: { taskId: string; operator: string }): Promise<string[]> =>
  deps.outbox.transaction(async (sql, send) => {
    const [task] = await findTasks(sql, [taskId])
    if (!task) throw new Failure<Reason>('task_not_found')
    const requests = await findRequests(sql, taskId)
    publish(deps, send, requests)
    await insertAuditEntry(sql, { operator, act: 'task_replayed', accountId: task.accountId, subject: taskId })
    replayed.add(requests.length, { by: 'operator' })
    return requests.map(() => 'generationRequested')
  })

const publish = ({ topicPrefix }: ReplayDeps, send: Send, requests: TaskRequest[]): void =>
  send(requests.map(({ accountId, event }) => ({ topic: topicName(topicPrefix, 'requests'), key: accountId, value: event })))
