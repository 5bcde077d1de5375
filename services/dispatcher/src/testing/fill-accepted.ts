import type { Sql, TransactionSql } from '@filmgate/kit/database/postgres'
import { insertAttempts } from '../attempt/attempt-repository'
import { newAttemptId } from './attempt-id'
import { newTaskId } from './test-system'

/** So many attempts that a provider accepted, all due now. Their account is named as the provider is. */
export async function fillAccepted(sql: Sql | TransactionSql, provider: string, count: number, acceptedMsAgo = 0): Promise<string[]> {
  const names = { provider, providerModel: 'm', model: 'm', traceparent: null, code: null, cause: null }
  const fixed = { number: 1, state: 'sending' as const, uploads: false, absenceAfterMs: 60_000, generationMsMax: 0 }
  const source = { topic: 'credits' as const, bytes: new Uint8Array() }
  const rows = Array.from({ length: count }, () => ({
    id: newAttemptId(),
    taskId: newTaskId(),
    accountId: provider,
    ...fixed,
    source,
    ...names,
  }))
  const ids = rows.map(({ id }) => id)
  await insertAttempts(sql, rows, { owner: 'test', leaseMs: 60_000 })
  await sql`
    update attempt set state = 'accepted', provider_task_id = id, accepted_at = now() - ${acceptedMsAgo}::float8 * interval '1 millisecond'
    where id = any(${ids}::text[])`
  await sql`update job set lease_until = null, run_at = now() where id = any(${ids}::text[])`
  return ids
}
