import type { Sql } from '@filmgate/kit/database/postgres'
import { replayedRowsMax, replayPart } from '@filmgate/kit/operator/replay-body'
import type { ReplayPart } from '@filmgate/proto/operator/task'
import { oldestReplayed } from '@filmgate/proto/task-id'
import { listChangesSince } from '../database/account-repository'
import { listReservationsSince } from '../database/reservation-repository'
import { type PostDeps, post } from '../posting/post'

type Since = { since: Date; after: string }

/** Publishes again the decisions about grants and debits since a moment: by asking for each again, which moves nothing. */
export async function replayChanges(deps: PostDeps & { sql: Sql }, { since, after }: Since): Promise<ReplayPart> {
  const changes = await listChangesSince(deps.sql, { since, after, rowsMax: replayedRowsMax })
  if (changes.length > 0)
    await post(
      deps,
      changes.map(change => ({ kind: `${change.kind}_credits` as const, accountId: change.accountId, change })),
    )
  return replayPart(changes.map(({ id }) => id))
}

/** Publishes again what was reserved since a moment, and what became of reservations since then. */
export async function replayTasks(deps: PostDeps & { sql: Sql }, { since, after }: Since): Promise<ReplayPart> {
  const tasks = await listReservationsSince(deps.sql, { since, after: after || oldestReplayed(since), rowsMax: replayedRowsMax })
  if (tasks.length > 0)
    await post(
      deps,
      tasks.map(task => ({ kind: 'replay', ...task })),
    )
  return replayPart(tasks.map(({ taskId }) => taskId))
}
