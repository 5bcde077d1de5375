import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import type { Bus, Outgoing } from '@filmgate/kit/bus/bus'
import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { type ClaimLoop, startClaimLoop } from '@filmgate/kit/jobs/claim-loop'
import type { Log } from '@filmgate/kit/telemetry/log'
import { encode, topicName, topics } from '@filmgate/proto/topics'
import { shownStatus, type Task } from '../tasks/task'
import { taskView } from '../tasks/task-view'
import { type DueNotice, deleteNotices, lockDueNotices, type TaskNotice } from './notice-repository'

/** Whether a projection of this task may have made a notice due. */
export const isNoticed = (task: Task): boolean => task.billingStatus === 'review' || shownStatus(task) !== 'processing'

export type NoticeDeps = {
  sql: Sql
  bus: Pick<Bus, 'publish' | 'connected'>
  topicPrefix: string
  log: Log
  /** False without the webhooks service: nobody reads the topic then, and its lag would raise alerts. */
  webhooksOn: boolean
}

const batchMax = 500
/** What no projection of this replica has woken it for: what one that died left, and low balances. */
const lookEveryMs = 1_000

/** Publishes notices as soon as it is woken after their commit. */
export const startNoticePublisher = (deps: NoticeDeps): ClaimLoop =>
  startClaimLoop({
    room: () => batchMax,
    pollEveryMs: lookEveryMs,
    async claim(limit) {
      if (!deps.bus.connected()) return 0
      try {
        return await publishNotices(deps, limit)
      } catch (error) {
        deps.log.warn({ err: error }, 'notices not published, retrying')
        return 0
      }
    },
  })

/**
 * Publishes the oldest notices and deletes them once the broker has them; returns how many. They go without the outbox: one published by
 * two replicas keeps no order between them, and these keep that of their task.
 */
export const publishNotices = ({ sql, bus, topicPrefix, webhooksOn }: Omit<NoticeDeps, 'log'>, rowsMax: number): Promise<number> =>
  sql.begin(async sql => {
    const due = await lockDueNotices(sql as TransactionSql, rowsMax)
    if (due.length === 0) return 0
    if (webhooksOn) await bus.publish(due.flatMap(({ notice }) => (notice ? [messageOf(topicName(topicPrefix, 'tasks'), notice)] : [])))
    await deleteNotices(
      sql as TransactionSql,
      due.map(({ id }) => id),
    )
    return due.length
  }) as Promise<number>

const messageOf = (topic: string, notice: DueNotice): Outgoing => ({
  topic,
  key: notice.accountId,
  eventId: notice.eventId,
  value: encode(topics.tasks.schema, { event: eventOf(notice) }),
})

function eventOf(notice: DueNotice) {
  const at = timestampFromDate(notice.at)
  if (notice.kind === 'balance_low') {
    const { accountId, available, threshold } = notice
    return {
      case: 'balanceLow' as const,
      value: { accountId, availableCredits: BigInt(available), thresholdCredits: BigInt(threshold), at },
    }
  }
  if (notice.kind === 'account_closed') return { case: 'accountClosed' as const, value: { accountId: notice.accountId, at } }
  const { task } = notice
  const value = {
    taskId: task.id,
    accountId: task.accountId,
    keyId: task.keyId,
    videoTask: JSON.stringify(taskView(asOf(notice))),
    tags: task.tags ?? {},
    at,
  }
  return { case: notice.kind === 'task_ended' ? ('taskEnded' as const) : ('taskInReview' as const), value }
}

/** A task that has ended meanwhile is told of as it was in review: its end is the next notice. */
const asOf = ({ kind, task, at }: TaskNotice & { at: Date }): Task =>
  kind === 'task_in_review' ? { ...task, billingStatus: 'review', creditsRefunded: 0, updatedAt: at } : task
