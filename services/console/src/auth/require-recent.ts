import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import { findConfirmedAt } from './session-repository'

const recentMs = 900_000

/**
 * The first line of what only the person themselves may do, not whoever found their browser open: they signed in, or gave their password or
 * passkey, within a quarter of an hour. Others are asked for it, and led back.
 */
export async function requireRecent({ sql }: { sql: Sql | TransactionSql }, person: Pick<Person, 'sessionId'>): Promise<void> {
  const at = await findConfirmedAt(sql, person.sessionId)
  if (!at || Date.now() - at.getTime() > recentMs) throw new Failure<Reason>('confirm_first')
}
