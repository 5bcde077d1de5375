import { Failure } from '@filmgate/kit/failure'
import { operatorName } from '@filmgate/kit/operator-name'
import type { Sql } from '@filmgate/kit/postgres'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { words } from '@filmgate/kit/request/text'
import { Type } from '@sinclair/typebox'
import { Elysia } from 'elysia'
import { findBalances } from '../accounts/account-repository'
import type { Reason } from '../errors'
import { createKey } from '../keys/create-key'
import { listKeys } from '../keys/key-repository'
import { readExpiry } from '../keys/read-expiry'
import { revokeKey } from '../keys/revoke-key'
import { type RotateDeps, rotateKey } from '../keys/rotate-key'

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
          operator: operatorName(request.headers),
        })
        return { key_id: keyId, api_key: apiKey }
      },
      takes(Key),
    )
    .get('/accounts/:id/keys', async function getKeys({ params }) {
      const data = await listKeys(deps.sql, params.id)
      if (data.length === 0 && (await findBalances(deps.sql, [params.id])).length === 0) throw new Failure<Reason>('account_not_found')
      return { data }
    })
    .delete('/keys/:id', async function deleteKey({ request, params }) {
      await revokeKey(deps, { keyId: params.id, operator: operatorName(request.headers) })
      return { key_id: params.id, revoked: true }
    })
    .post('/keys/:id/rotate', async function postRotation({ request, params }) {
      const { keyId, apiKey } = await rotateKey(deps, { keyId: params.id, operator: operatorName(request.headers) })
      return { key_id: keyId, api_key: apiKey }
    })
