import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { BookChanges } from '../books/book-changes'
import type { ReleaseTask } from '../books/instruction'
import { findDeclinedTask } from '../database/declined-repository'
import { findReservation } from '../database/reservation-repository'
import type { Reason } from '../errors'
import { type PostDeps, post } from '../posting/post'

/** Publishes again what was decided about a task, and its state. Returns the names of the events. */
export async function replayTask(deps: PostDeps & { sql: Sql }, taskId: string): Promise<string[]> {
  const task = (await findReservation(deps.sql, taskId)) ?? (await findDeclinedTask(deps.sql, taskId))
  if (!task) throw new Failure<Reason>('task_not_found')
  return eventNames(await post(deps, [{ kind: 'replay', taskId, accountId: task.accountId }]))
}

/** Ends a request that no credits were reserved for; returns the names of the events that say so. */
export const releaseTask = async (deps: PostDeps, release: Omit<ReleaseTask, 'kind'>): Promise<string[]> =>
  eventNames(await post(deps, [{ ...release, kind: 'release' }]))

const eventNames = ({ events }: BookChanges): string[] => events.map(({ event }) => event.case ?? '')
