import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { Attempt } from '../attempt/attempt'
import { findIdOwners } from '../attempt/attempt-repository'
import type { Reason } from '../errors'
import type { Connector } from '../providers/connector'

export type CheckIdDeps = { sql: Sql; readTimeoutMs: number }

/**
 * Asks the provider for an id that an operator gives for an attempt: a mistyped id would deliver somebody else's video, or have this one
 * refunded later. Returns whether the provider repeats our own id beside it. `force`: it repeats none where it always should, and is ours nevertheless.
 */
export async function checkProviderTaskId(
  deps: CheckIdDeps,
  attempt: Attempt,
  connector: Connector,
  { providerTaskId, force }: { providerTaskId: string; force: boolean },
): Promise<boolean> {
  const { providerModel } = attempt
  const known = await connector.identify({ providerTaskId, providerModel }, AbortSignal.timeout(deps.readTimeoutMs)).catch(error => {
    throw new Failure<Reason>('provider_unavailable', { cause: error })
  })
  if (!known) throw new Failure<Reason>('provider_task_id_unknown')
  if (known.attemptId !== null && known.attemptId !== attempt.id) throw taken(known.attemptId)
  const [owner] = await findIdOwners(deps.sql, [{ provider: attempt.provider, providerTaskId }])
  if (owner && owner.attemptId !== attempt.id) throw taken(owner.attemptId)
  if (known.attemptId === null && connector.capabilities.carriesOwnId && !force) throw new Failure<Reason>('provider_task_id_unmarked')
  return known.attemptId !== null
}

const taken = (attemptId: string) => new Failure<Reason>('provider_task_id_taken', { details: { attempt_id: attemptId } })
