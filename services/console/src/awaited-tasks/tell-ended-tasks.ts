import type { Sql } from '@filmgate/kit/database/postgres'
import { startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { askAsConsole } from '../gateway/ask-as-console'
import type { Gateway, TaskView } from '../gateway/gateway'
import { accountPath } from '../layout/menu'
import { queueMail } from '../mail/queue-mail'
import { type StopLinks, stopUrl } from '../mail-choices/stop-link'
import { claimAwaited, endAwaited } from './awaited-repository'
import { taskMail } from './task-mail'

export type TellDeps = { sql: Sql; log: Log; gateway: Gateway } & StopLinks

const pollEveryMs = 1_000
/** As many as the gateway takes in one question. */
const batchMax = 200
const longMs = 60_000

/** Asks the gateway for the tasks whose end somebody wants to be told of, and mails each end once. */
export function startTaskTeller(deps: TellDeps): { stop(): Promise<void> } {
  return startClaimLoop({
    room: () => batchMax,
    pollEveryMs,
    async claim(limit) {
      try {
        return await tellEndedTasks(deps, limit)
      } catch (error) {
        deps.log.warn({ err: error }, 'awaited tasks not asked for')
        return 0
      }
    },
  })
}

/** How many were asked for. The end of a task and its mail are kept together, or neither is. */
export async function tellEndedTasks({ sql, gateway, ...links }: TellDeps, limit = batchMax): Promise<number> {
  const awaited = await claimAwaited(sql, limit)
  if (awaited.length === 0) return 0
  const asked = awaited.map(({ taskId, accountId }) => ({ task_id: taskId, account_id: accountId }))
  const found = await askAsConsole<TaskView>(gateway, '/tasks/states', { tasks: asked })
  const ended = new Map(found.filter(({ status }) => status !== 'processing').map(task => [task.id, task]))
  if (ended.size === 0) return awaited.length
  await sql.begin(async sql => {
    const rows = await endAwaited(
      sql,
      [...ended.values()].map(({ id, updated_at }) => ({ taskId: id, endedAt: new Date(updated_at) })),
    )
    for (const told of rows) {
      const task = ended.get(told.taskId)
      if (!task || (told.taskEnded === 'long' && !wasLong(task))) continue
      const { accountId, personId } = told
      const taskUrl = `${links.consoleUrl}${accountPath(accountId, 'tasks')}/${task.id}`
      await queueMail(sql, taskMail({ told, task, taskUrl, stopUrl: stopUrl(links, { accountId, personId, kind: 'task-ended' }) }))
    }
  })
  return awaited.length
}

const wasLong = ({ created_at, updated_at }: TaskView): boolean => Date.parse(updated_at) - Date.parse(created_at) > longMs
