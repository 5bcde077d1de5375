import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import { lockMembers, type Members } from './member-repository'
import { isAtLeast, type Role } from './roles'

/**
 * Runs a change of an account's members under a lock, one at a time per account. The actor must still have the needed
 * role, and at least one owner must remain.
 */
export async function changeMembers<T>(
  sql: Sql,
  { accountId, actorId, needed }: { accountId: string; actorId: string; needed: Role },
  change: (sql: TransactionSql, members: Members) => Promise<T>,
): Promise<T> {
  return (await sql.begin(async sql => {
    const members = await lockMembers(sql, accountId)
    const role = members?.get(actorId)?.role
    if (!members || !role) throw new Failure<Reason>('not_found')
    if (!isAtLeast(role, needed)) throw new Failure<Reason>('role_insufficient')
    const done = await change(sql, members)
    const left = await lockMembers(sql, accountId)
    if (left && ![...left.values()].some(({ role }) => role === 'owner')) throw new Failure<Reason>('last_owner')
    return done
  })) as T
}
