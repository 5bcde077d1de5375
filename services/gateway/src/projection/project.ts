import { timestampDate } from '@bufbuild/protobuf/wkt'
import type { Incoming } from '@filmgate/kit/bus/bus'
import type { Sql } from '@filmgate/kit/database/postgres'
import { WaitingFor } from '@filmgate/proto/gen/filmgate/v1/generations_pb'
import { restoreTasks } from '../recovery/restore-tasks'
import type { Task } from '../tasks/task'
import { balanceOf, newestBalances } from './balance-change'
import { decisionOf } from './change-decision'
import { type PipelineEvent, taskIdOf } from './pipeline-event'
import { mergeProjection, type TaskChange, type TaskEvent } from './projection-repository'
import { recordUsage } from './record-usage'
import { crossingsOf, highestCrossings, newestSpend, spendOf } from './spend-change'
import { changeOf, foldChanges } from './task-change'

export type ProjectDeps = {
  sql: Sql
  /** Called after the commit, so that whoever waits for these tasks looks. With the processor time that refused media took, by task. */
  wake(tasks: Task[], processorSeconds: ReadonlyMap<string, number>): void
}

/** Merges a batch of events into tasks, balances, credit changes and usage in one statement. Any event may come twice and in any order. */
export async function project({ sql, wake }: ProjectDeps, messages: Incoming<PipelineEvent>[]): Promise<void> {
  const timed = messages.map(message => ({ message, event: message.event, at: timeOf(message) }))
  const changes = new Map<string, TaskChange>()
  const history: TaskEvent[] = []
  for (const { message, event, at } of timed) {
    const change = changeOf(event, at)
    const known = change && changes.get(change.id)
    if (change) changes.set(change.id, known ? foldChanges(known, change) : change)
    const taskId = taskIdOf(event)
    if (taskId && message.eventId)
      history.push({ taskId, eventId: message.eventId, kind: event.case ?? '', at, details: detailsOf(event, change) })
  }
  const balances = newestBalances(timed.flatMap(({ event }) => balanceOf(event) ?? []))
  const decisions = timed.flatMap(({ event, at }) => decisionOf(event, at) ?? [])
  const spend = newestSpend(timed.flatMap(({ event }) => spendOf(event) ?? []))
  const crossings = highestCrossings(timed.flatMap(({ event, at }) => crossingsOf(event, at)))
  const usage = recordUsage(
    sql,
    timed.map(({ event }) => event),
  )
  const recorded = timed.flatMap(({ event }) => (event.case === 'taskRecorded' ? [event.value] : []))
  if (recorded.length > 0) await restoreTasks(sql, recorded)
  const tasks = await mergeProjection(sql, { changes: [...changes.values()], history, balances, decisions, spend, crossings, usage })
  const seconds = timed.flatMap(({ event }) => processorSecondsOf(event))
  if (tasks.length > 0) wake(tasks, new Map(seconds))
}

/** By task, as one entry of a map. A media-probe of a version before tells none. */
const processorSecondsOf = (event: PipelineEvent): [taskId: string, seconds: number][] =>
  event.case === 'mediaRejected' ? [[event.value.taskId, event.value.processorSeconds ?? 0]] : []

function timeOf({ event, timestampMs }: Incoming<PipelineEvent>): Date {
  const at = event.value?.at
  return at ? timestampDate(at) : new Date(timestampMs)
}

/** What of an event and its change `task show` tells an operator, and the console's story a person. */
function detailsOf(event: PipelineEvent, change: TaskChange | undefined): object {
  if (!change) return {}
  const attemptNumber = event.value && 'attemptNumber' in event.value && event.value.attemptNumber > 0 ? event.value.attemptNumber : null
  const { phase, billingStatus, creditsUsed, creditsRefunded, errorCode, errorMessage, videoUrl, cancelRefusal } = change
  const told = {
    phase,
    attemptNumber,
    billingStatus,
    creditsUsed,
    creditsRefunded,
    errorCode,
    errorMessage,
    videoUrl,
    cancelRefusal,
    ...waitingOf(event),
    ...progressOf(event),
  }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== null))
}

/** How far a generation is at its provider, where that tells it. */
function progressOf(event: PipelineEvent): { percent?: number; queuePosition?: number } {
  if (event.case !== 'generationProgressed') return {}
  const { percent, queuePosition } = event.value
  return { ...(percent !== undefined && { percent }), ...(queuePosition !== undefined && { queuePosition }) }
}

const missing: Record<number, string> = { [WaitingFor.FILE]: 'file', [WaitingFor.STATUS]: 'status' }

/** What a generation waits for at its provider, and when it is held for review if that does not come. */
function waitingOf(event: PipelineEvent): { waitingFor?: string | null; heldAfter?: string } {
  if (event.case !== 'generationAccepted' && event.case !== 'generationProgressed') return {}
  const waitingFor = event.case === 'generationProgressed' ? (missing[event.value.waitingFor] ?? null) : null
  const { heldAfter } = event.value
  return { waitingFor, ...(heldAfter && { heldAfter: timestampDate(heldAfter).toISOString() }) }
}
