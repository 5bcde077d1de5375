import { Failure } from '@filmgate/kit/failure'
import type { Outbox, Send } from '@filmgate/kit/outbox/outbox'
import { counter } from '@filmgate/kit/telemetry/metrics'
import { topicName } from '@filmgate/proto/topics'
import { insertAct } from '../acts/act-repository'
import type { Reason } from '../errors'
import { findTasks } from '../tasks/task-repository'
import { findRequests, type Silence, type TaskRequest, takeSilentRequests } from './task-request-repository'

export type RetellDeps = { outbox: Outbox; topicPrefix: string }

const toldAgain = counter('tasks_told_again', 'Tasks whose request was sent again to the services behind the gateway, by who wanted it', {
  by: ['silence', 'operator'],
})

/** Sends the requests again of tasks that have not ended and of which no event has come for long. Returns how many. */
export const retellSilent = (deps: RetellDeps, silence: Silence): Promise<number> =>
  deps.outbox.transaction(async (sql, send) => {
    const silent = await takeSilentRequests(sql, silence)
    tell(deps, send, silent)
    toldAgain.add(silent.length, { by: 'silence' })
    return silent.length
  })

/** Sends a task's request again; returns the names of the events, none where the task has ended or its request is not kept. */
export const retellTask = (deps: RetellDeps, { taskId, operator }: { taskId: string; operator: string }): Promise<string[]> =>
  deps.outbox.transaction(async (sql, send) => {
    const [task] = await findTasks(sql, [taskId])
    if (!task) throw new Failure<Reason>('task_not_found')
    const requests = await findRequests(sql, taskId)
    tell(deps, send, requests)
    await insertAct(sql, { operator, act: 'task_retold', accountId: task.accountId, subject: taskId })
    toldAgain.add(requests.length, { by: 'operator' })
    return requests.map(() => 'generationRequested')
  })

const tell = ({ topicPrefix }: RetellDeps, send: Send, requests: TaskRequest[]): void =>
  send(requests.map(({ accountId, event }) => ({ topic: topicName(topicPrefix, 'requests'), key: accountId, value: event })))
