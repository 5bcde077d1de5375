import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus'
import type { Fragment, Sql } from '@filmgate/kit/postgres'
import { balanceOf, newestBalances } from '../accounts/balance-of'
import { decisionOf } from '../credit-changes/decision-of'
import { changeOf, foldChanges, type LineEvent, taskIdOf } from './change-of'
import { mergeProjection, type TaskChange, type TaskEvent } from './projection-repository'
import type { Task } from './task'

export type ProjectDeps = {
  sql: Sql
  /** Told after commit, so that whoever waits for these tasks looks. */
  wake(tasks: Task[]): void
  /** The part of the statement that writes the usage records these events make. */
  recordUsage(sql: Sql, events: LineEvent[]): Fragment
}

/** Merges a batch of the line's events into tasks, balances and usage in one statement. Any event may come twice and in any order. */
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
  const decisions = timed.flatMap(({ event, at }) => decisionOf(event, at) ?? [])
  const usage = recordUsage(
    sql,
    timed.map(({ event }) => event),
  )
  const tasks = await mergeProjection(sql, { changes: [...changes.values()], history, balances, decisions, usage })
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
