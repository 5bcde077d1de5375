import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Person } from '../door/person'
import type { Reason } from '../errors'
import { findProof } from './session-repository'

const recentMs = 900_000

/**
 * The first line of what only the person themselves may do, not whoever found their browser open: they signed in, or gave their password or
 * passkey, within a quarter of an hour; whoever has codes also gave one in this session. Others are asked for it, and led back.
 */
export async function requireRecent({ sql }: { sql: Sql | TransactionSql }, person: Pick<Person, 'sessionId'>): Promise<void> {
  const proof = await findProof(sql, person.sessionId)
  if (!proof || proof.owesCode || Date.now() - proof.confirmedAt.getTime() > recentMs) throw new Failure<Reason>('confirm_first')
}
