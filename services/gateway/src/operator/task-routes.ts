import type { Sql } from '@filmgate/kit/database/postgres'
import { withDeadline } from '@filmgate/kit/deadline'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { By, operatorName } from '@filmgate/kit/operator/operator-name'
import { replayBody } from '@filmgate/kit/operator/replay-body'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { CancelledTask, GatewayTask, PublishedEvents, ReplayPart, ReviewedTask, TaskRow } from '@filmgate/proto/operator/task'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { auditEntryView, insertAuditEntry, listAuditEntriesOf } from '../audit-log/audit-repository'
import { type CancelDeps, cancelTask } from '../cancel/cancel-task'
import type { Reason } from '../errors'
import { cursor, writeCursor } from '../paging/cursor'
import { pageOf } from '../paging/page'
import { moment, oneOf, pageSize, readQuery, words as wordsOf } from '../paging/read-query'
import { type ReplayDeps, replayTask } from '../recovery/replay'
import { replaySince } from '../recovery/replay-since'
import { type BillingStatus, billingStatuses, type Delivery, shownStatus, type Task } from '../tasks/task'
import { taskIdForm } from '../tasks/task-id'
import { findDelivery, findTasks, listReviews, listTaskEvents, type TaskEventRow } from '../tasks/task-repository'
import { taskView } from '../tasks/task-view'
import { listTasks, operatorStatuses } from './task-list-repository'

export type TaskRouteDeps = ReplayDeps & CancelDeps & { sql: Sql }

const Cancel = Type.Object({ reason: words(500), by: By }, { additionalProperties: false })

const ReplaySince = replayBody('accounts', 'changes', 'tasks')

const reviewsMax = 500
/** A filter that finds few tasks reads those of all accounts; it is cancelled before it slows other requests down. */
const listTimeoutMs = 5_000

export const taskRoutes = (deps: TaskRouteDeps) =>
  new Elysia({ normalize: false })
    .get('/tasks', async function getTasks({ request }): Promise<Listed<TaskRow>> {
      const query = readQuery(request.url, {
        account: wordsOf(200),
        status: oneOf(operatorStatuses),
        billing: oneOf(Object.keys(billingStatuses) as BillingStatus[]),
        model: wordsOf(100),
        since: moment,
        until: moment,
        cursor: cursor(([id]) => (id !== undefined && taskIdForm.test(id) ? id : undefined)),
        limit: pageSize(50, 500),
      })
      const { cursor: beforeId = null, limit, ...filter } = query
      const rows = await withDeadline(listTasks(deps.sql, { ...filter, beforeId, rowsMax: limit + 1 }), listTimeoutMs, 'the database')
      return pageOf(rows, limit, listedView, ({ id }) => writeCursor([id]))
    })
    .get('/tasks/:id', async function getTask({ params }): Promise<GatewayTask> {
      const [task] = await findTasks(deps.sql, [params.id])
      if (!task) throw new Failure<Reason>('task_not_found')
      const [events, acts, delivery] = await Promise.all([
        listTaskEvents(deps.sql, params.id),
        listAuditEntriesOf(deps.sql, params.id),
        findDelivery(deps.sql, params.id),
      ])
      return { task: storedView(task, delivery), events: events.map(eventView), acts: acts.map(auditEntryView) }
    })
    .post(
      '/tasks/:id/replay',
      async function postReplay({ request, params }): Promise<PublishedEvents> {
        return { published: await replayTask(deps, { taskId: params.id, operator: operatorName(request) }) }
      },
      needsRole('support'),
    )
    .post(
      '/tasks/:id/cancel',
      async function postCancel({ request, params }): Promise<CancelledTask> {
        const { reason, by } = await readJsonAs(Cancel, request)
        const operator = operatorName(request, by)
        const [found] = await findTasks(deps.sql, [params.id])
        if (!found?.billingStatus) throw new Failure<Reason>('task_not_found')
        const act = { operator, act: 'task_cancelled', accountId: found.accountId, subject: found.id, reason } as const
        const task = await cancelTask(deps, {
          task: found,
          by: 'operator',
          signal: request.signal,
          record: sql => insertAuditEntry(sql, act),
        })
        return { task_id: task.id, status: shownStatus(task) === 'failed' ? 'cancelled' : 'asked' }
      },
      needsRole('support', Cancel),
    )
    .post(
      '/replay',
      async function postReplaySince({ request }): Promise<ReplayPart> {
        const { part, since, after = '' } = await readJsonAs(ReplaySince, request)
        operatorName(request)
        return replaySince(deps, part, { since: new Date(since), after })
      },
      needsRole('support', ReplaySince),
    )
    .get('/reviews', async function getReviews(): Promise<Listed<ReviewedTask>> {
      return { data: (await listReviews(deps.sql, reviewsMax)).map(task => ({ account_id: task.accountId, ...taskView(task) })) }
    })

/** What its client sees, and for operators also the account, the phase and a refusal before the reservation. */
const listedView = (task: Task): TaskRow => ({
  id: task.id,
  account_id: task.accountId,
  status: task.phase === 'declined' ? ('declined' as const) : shownStatus(task),
  phase: task.phase,
  billing_status: task.billingStatus,
  model: task.model,
  credits_used: task.creditsUsed,
  credits_refunded: task.creditsRefunded,
  error: task.errorCode,
  created_at: task.createdAt.toISOString(),
  updated_at: task.updatedAt.toISOString(),
})

/** Its row, with what was delivered. */
const storedView = (task: Task, delivery: Delivery | null): GatewayTask['task'] => ({
  ...{ ...task, fingerprint: task.fingerprint.toString('hex'), delivery },
  createdAt: task.createdAt.toISOString(),
  updatedAt: task.updatedAt.toISOString(),
  admitBy: task.admitBy.toISOString(),
})

const eventView = ({ kind, at, details }: TaskEventRow): GatewayTask['events'][number] => ({ kind, at: at.toISOString(), details })
