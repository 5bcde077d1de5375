import { Failure } from '@filmgate/kit/failure'
import type { Sql } from '@filmgate/kit/postgres'
import type { Draft } from '../batch/draft'
import type { ReleaseTask } from '../batch/instruction'
import { type PostDeps, post } from '../batch/post'
import type { Reason } from '../errors'
import { findDeclinedTask } from '../reservation/declined-repository'
import { findReservation } from '../reservation/reservation-repository'

/** Tells what was decided about a task, and its state, once more; returns the names of the events. */
export async function retellTask(deps: PostDeps & { sql: Sql }, taskId: string): Promise<string[]> {
  const task = (await findReservation(deps.sql, taskId)) ?? (await findDeclinedTask(deps.sql, taskId))
  if (!task) throw new Failure<Reason>('task_not_found')
  return toldBy(await post(deps, [{ kind: 'retell', taskId, accountId: task.accountId }]))
}

/** Ends a request that no credits were reserved for; returns the names of the events that tell so. */
export const releaseTask = async (deps: PostDeps, release: Omit<ReleaseTask, 'kind'>): Promise<string[]> =>
  toldBy(await post(deps, [{ ...release, kind: 'release' }]))

const toldBy = ({ sent }: Draft): string[] => sent.map(({ event }) => event.case ?? '')
