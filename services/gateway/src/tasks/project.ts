import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus'
import type { Sql, TransactionSql } from '@filmgate/kit/postgres'
import { mergeBalances } from '../accounts/account-repository'
import { balanceOf, newestBalances } from '../accounts/balance-of'
import { changeOf, foldChanges, type LineEvent, taskIdOf } from './change-of'
import type { Task } from './task'
import { insertTaskEvents, lockTasks, mergeChanges, type TaskChange, type TaskEvent } from './task-repository'

export type ProjectDeps = {
  sql: Sql
  /** Told after commit, so that whoever waits for these tasks looks. */
  wake(tasks: Task[]): void
  /** Writes the usage records these events make, in the same transaction. */
  recordUsage(sql: TransactionSql, events: LineEvent[]): Promise<void>
}

/** Merges a batch of the line's events into tasks, balances and usage in one transaction. Any event may come twice and in any order. */
export async function project({ sql, wake, recordUsage }: ProjectDeps, messages: Incoming<LineEvent>[]): Promise<void> {
  const timed = messages.map(message => ({ message, event: message.event, at: timeOf(message) }))
  const changes = new Map<string, TaskChange>()
  const history: TaskEvent[] = []
  for (const { message, event, at } of timed) {
    const change = changeOf(event, at)
    const known = change && changes.get(change.id)
    if (change) changes.set(change.id, known ? foldChanges(known, change) : change)
    const taskId = taskIdOf(event)
    if (taskId && message.eventId)
      history.push({ taskId, eventId: message.eventId, kind: event.case ?? '', at, details: detailsOf(change) })
  }
  const balances = newestBalances(timed.flatMap(({ event }) => balanceOf(event) ?? []))
  const ordered = [...changes.values()]

  const tasks = await sql.begin(async plain => {
    const sql = plain as TransactionSql
    // Sent together and answered in order: none needs another's answer, and each would cost a round trip of its own.
    const [, merged] = await Promise.all([
      ordered.length > 0
        ? lockTasks(
            sql,
            ordered.map(change => change.id),
          )
        : undefined,
      ordered.length > 0 ? mergeChanges(sql, ordered) : [],
      balances.length > 0 ? mergeBalances(sql, balances) : undefined,
      history.length > 0 ? insertTaskEvents(sql, history) : undefined,
      recordUsage(
        sql,
        timed.map(({ event }) => event),
      ),
    ])
    return [...merged]
  })
  if (tasks.length > 0) wake(tasks)
}

function timeOf({ event, timestampMs }: Incoming<LineEvent>): Date {
  const at = event.value?.at
  return at ? timestampDate(at) : new Date(timestampMs)
}

/** The part of a change worth showing an operator. */
function detailsOf(change: TaskChange | undefined): object {
  if (!change) return {}
  const { phase, billingStatus, creditsUsed, creditsRefunded, errorCode, errorMessage, videoUrl } = change
  return Object.fromEntries(
    Object.entries({ phase, billingStatus, creditsUsed, creditsRefunded, errorCode, errorMessage, videoUrl }).filter(
      ([, value]) => value !== null,
    ),
  )
}
