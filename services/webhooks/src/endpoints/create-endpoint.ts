import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import type { FetchPolicy } from '@filmgate/kit/safe-fetch/fetch-policy'
import { uuidv7 } from 'uuidv7'
import type { Reason } from '../errors'
import { newSecret, type Vault } from '../secrets/vault'
import { checkEndpointUrl } from './check-endpoint-url'
import { type Endpoint, endpointsMax, eventTypes, type NewEndpoint } from './endpoint'
import { insertEndpoint } from './endpoint-repository'

export type CreateEndpointDeps = { sql: Sql; vault: Vault; policy: FetchPolicy }

/** Creates an endpoint and its secret, which only this answer tells. */
export async function createEndpoint(
  { sql, vault, policy }: CreateEndpointDeps,
  { accountId, url, events = [...eventTypes], description = '' }: NewEndpoint & { accountId: string },
): Promise<{ endpoint: Endpoint; secret: string }> {
  checkEndpointUrl(policy, url)
  const id = newEndpointId()
  const secret = newSecret()
  const sealed = await vault.seal(id, secret)
  const endpoint = await insertEndpoint(sql, { id, accountId, url, description, events, secret: sealed }, endpointsMax)
  if (!endpoint) throw new Failure<Reason>('endpoint_limit', { details: { limit: endpointsMax } })
  return { endpoint, secret }
}

export const newEndpointId = (): string => `whe_${uuidv7().replaceAll('-', '')}`
