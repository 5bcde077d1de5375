import type { Sql } from '@filmgate/kit/database/postgres'
import type { Log } from '@filmgate/kit/telemetry/log'
import { counter, late } from '@filmgate/kit/telemetry/metrics'
import type { Due } from '../../attempt/attempt'
import { findIdOwners } from '../../attempt/attempt-repository'
import type { FoundId } from '../decide'

export type IdentifyDeps = { sql: Sql; log: Log }

/** `refused`: why the id that the callback named is not this attempt's; undefined where none was named, or the provider could not say. */
export type Identified = { found: FoundId } | { refused: string } | undefined

const results = ['own', 'unknown', 'taken', 'none'] as const
const identified = counter(
  'provider_callbacks_identified',
  'Ids that signed callbacks named for attempts without one, by what became of asking for them',
  {
    provider: late,
    result: results,
  },
)

/**
 * Asks the provider for the id that its signed callback named. The signature says that the provider made that request, and the address, which only the
 * provider was told, for which attempt. Neither says that it is under our key, and an address can become known to others.
 */
export async function identifyCalledBack(
  { sql, log }: IdentifyDeps,
  { attempt, connector }: Due,
  signal: AbortSignal,
): Promise<Identified> {
  const { provider, providerModel, calledBackAs: providerTaskId } = attempt
  if (providerTaskId === null) return undefined
  const known = await connector.identify({ providerTaskId, providerModel }, signal).catch((error: unknown) => {
    if (!signal.aborted) log.warn({ err: error, attempt: attempt.id }, 'its provider could not be asked for the id that its callback named')
    return 'none' as const
  })
  const count = (result: (typeof results)[number]) => identified.add(1, { provider, result })
  if (known === 'none') {
    count('none')
    return undefined
  }
  if (!known) {
    count('unknown')
    return { refused: `its callback named the id ${providerTaskId}, which its provider doesn’t know` }
  }
  const [row] = await findIdOwners(sql, [{ provider, providerTaskId }])
  const owner = [known.attemptId, row?.attemptId].find(id => typeof id === 'string' && id !== attempt.id)
  count(owner ? 'taken' : 'own')
  if (owner) return { refused: `its callback named the id ${providerTaskId}, which attempt ${owner} has` }
  return { found: { providerTaskId, echoed: known.attemptId !== null } }
}
