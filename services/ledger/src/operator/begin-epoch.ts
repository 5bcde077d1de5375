import type { Sql } from '@filmgate/kit/database/postgres'
import type { EpochPart } from '@filmgate/proto/operator/books'
import { listAccountIds } from '../database/account-repository'
import { listSubjects } from '../database/budget-repository'
import { type PostDeps, post } from '../posting/post'

/** Accounts of one call, and so of one transaction. */
const accountsMax = 200

/** Begins an epoch of the books for the accounts behind `after`: what was published of them before no longer counts. */
export async function beginEpoch(deps: PostDeps & { sql: Sql }, after: string): Promise<EpochPart> {
  const ids = await listAccountIds(deps.sql, after, accountsMax)
  const subjects = Map.groupBy(await listSubjects(deps.sql, ids), ({ accountId }) => accountId)
  if (ids.length > 0)
    await post(
      deps,
      ids.map(accountId => ({ kind: 'raise_version', accountId, subjects: subjects.get(accountId) ?? [] })),
    )
  return { accounts: ids.length, next: ids.length < accountsMax ? null : (ids.at(-1) ?? null) }
}
