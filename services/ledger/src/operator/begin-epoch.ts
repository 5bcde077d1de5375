import type { Sql } from '@filmgate/kit/database/postgres'
import { replayedRowsMax, replayPart } from '@filmgate/kit/operator/replay-body'
import type { ReplayPart } from '@filmgate/proto/operator/task'
import { listAccountIds } from '../database/account-repository'
import { listSubjects } from '../database/budget-repository'
import { type PostDeps, post } from '../posting/post'

/** Begins an epoch of the books for the accounts behind `after`: what was published of them before no longer counts. */
export async function beginEpoch(deps: PostDeps & { sql: Sql }, after: string): Promise<ReplayPart> {
  const ids = await listAccountIds(deps.sql, after, replayedRowsMax)
  const subjects = Map.groupBy(await listSubjects(deps.sql, ids), ({ accountId }) => accountId)
  if (ids.length > 0)
    await post(
      deps,
      ids.map(accountId => ({ kind: 'raise_version', accountId, subjects: subjects.get(accountId) ?? [] })),
    )
  return replayPart(ids)
}
