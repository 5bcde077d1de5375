import type { Sql } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { type UnsubscribeLinks, unsubscribeUrl } from '../email-preferences/unsubscribe-link'
import type { Gateway, TaskView } from '../gateway/gateway'
import { requestAsConsole } from '../gateway/request-as-console'
import { accountPath } from '../layout/menu'
import { queueMail } from '../mail/queue-mail'
import { claimAwaitedTasks, endAwaitedTasks } from './awaited-task-repository'
import { taskMail } from './task-mail'

export type NotifyDeps = { sql: Sql; log: Log; gateway: Gateway } & UnsubscribeLinks

const pollEveryMs = 1_000
/** The gateway's maximum per request. */
const batchMax = 200
const longMs = 60_000

/** Checks the state of tasks that somebody waits for, and mails each end once. */
export function startTaskNotifier(deps: NotifyDeps): { stop(): Promise<void> } {
  return startClaimLoop({
    room: () => batchMax,
    pollEveryMs,
    async claim(limit) {
      try {
        return await notifyEndedTasks(deps, limit)
      } catch (error) {
        deps.log.warn({ err: error }, 'checking awaited tasks failed')
        return 0
      }
    },
  })
}

/** Returns how many tasks were checked. A task's end and its mail are stored in one transaction. */
export async function notifyEndedTasks({ sql, gateway, ...links }: NotifyDeps, limit = batchMax): Promise<number> {
  const awaited = await claimAwaitedTasks(sql, limit)
  if (awaited.length === 0) return 0
  const tasks = awaited.map(({ taskId, accountId }) => ({ task_id: taskId, account_id: accountId }))
  const found = await requestAsConsole<TaskView>(gateway, '/tasks/states', { tasks })
  const ended = new Map(found.filter(({ status }) => status !== 'processing').map(task => [task.id, task]))
  if (ended.size === 0) return awaited.length
  await sql.begin(async sql => {
    const rows = await endAwaitedTasks(
      sql,
      [...ended.values()].map(({ id, updated_at }) => ({ taskId: id, endedAt: new Date(updated_at) })),
    )
    for (const notification of rows) {
      const task = ended.get(notification.taskId)
      if (!task || (notification.taskEnded === 'long' && !tookLong(task))) continue
      const { accountId, personId } = notification
      const taskUrl = `${links.consoleUrl}${accountPath(accountId, 'tasks')}/${task.id}`
      await queueMail(
        sql,
        taskMail({ notification, task, taskUrl, unsubscribeUrl: unsubscribeUrl(links, { accountId, personId, kind: 'task-ended' }) }),
      )
    }
  })
  return awaited.length
}

const tookLong = ({ created_at, updated_at }: TaskView): boolean => Date.parse(updated_at) - Date.parse(created_at) > longMs
