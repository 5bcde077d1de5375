import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { act } from '@filmgate/kit/operator/act'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import { rfc3339 } from '@filmgate/kit/rfc3339'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { findBalances } from '../balances/balance-repository'
import type { Reason } from '../errors'
import { createKey } from '../keys/create-key'
import { listKeys } from '../keys/key-repository'
import { revokeKey } from '../keys/revoke-key'
import { type RotateDeps, rotateKey } from '../keys/rotate-key'
import { storable } from '../paging/read-query'

const Key = Type.Object({ name: words(200), expires_at: Type.Optional(Type.String({ maxLength: 40 })) }, { additionalProperties: false })

export type KeyRouteDeps = RotateDeps & { sql: Sql }

export const keyRoutes = (deps: KeyRouteDeps) =>
  new Elysia({ normalize: false })
    .post(
      '/accounts/:id/keys',
      async function postKey({ request, params }) {
        const { name, expires_at } = await readJsonAs(Key, request)
        const { keyId, apiKey } = await createKey(deps, {
          accountId: params.id,
          name,
          expiresAt: expires_at === undefined ? null : readExpiry(expires_at, deps.now()),
          operator: operatorName(request),
        })
        return { key_id: keyId, api_key: apiKey }
      },
      act('money', Key),
    )
    .get('/accounts/:id/keys', async function getKeys({ params }) {
      const data = await listKeys(deps.sql, params.id)
      if (data.length === 0 && (await findBalances(deps.sql, [params.id])).length === 0) throw new Failure<Reason>('account_not_found')
      return { data }
    })
    .delete(
      '/keys/:id',
      async function deleteKey({ request, params }) {
        await revokeKey(deps, { keyId: params.id, operator: operatorName(request) })
        return { key_id: params.id, revoked: true }
      },
      act('support'),
    )
    .post(
      '/keys/:id/rotate',
      async function postRotation({ request, params }) {
        const { keyId, apiKey } = await rotateKey(deps, { keyId: params.id, operator: operatorName(request) })
        return { key_id: keyId, api_key: apiKey }
      },
      act('money'),
    )

/** When a new key is to end: a moment of RFC 3339 that is still to come. */
function readExpiry(text: string, now: Date): Date {
  const at = rfc3339(text)
  if (!at || !storable(at)) throw refused('date-time', 'must be a moment of RFC 3339 such as 2027-01-31T08:30:00Z')
  if (at <= now) throw refused('future', 'must be in the future')
  return at
}

const refused = (rule: string, message: string) =>
  new Failure<Reason>('invalid_request', { details: { issues: [{ path: 'expires_at', rule, message: `expires_at ${message}` }] } })
