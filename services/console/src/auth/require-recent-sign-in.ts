import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Reason } from '../errors'
import type { Person } from '../http/person'
import { findSessionProof } from './session-repository'

const recentMs = 900_000

/**
 * Call first for actions that need the person, not just their open browser. They must have signed in or confirmed
 * within 15 minutes. A person with authenticator codes must also have given one in this session.
 */
export async function requireRecentSignIn({ sql }: { sql: Sql | TransactionSql }, person: Pick<Person, 'sessionId'>): Promise<void> {
  const proof = await findSessionProof(sql, person.sessionId)
  if (!proof || proof.codeRequired || Date.now() - proof.confirmedAt.getTime() > recentMs) throw new Failure<Reason>('confirm_first')
}
