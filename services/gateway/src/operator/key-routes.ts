import type { Sql } from '@filmgate/kit/database/postgres'
import { Failure } from '@filmgate/kit/failure'
import { needsRole } from '@filmgate/kit/operator/needs-role'
import { operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs } from '@filmgate/kit/request/read-json'
import type { BoundKey, KeyRow, NewKey, OwnedKey, RevokedKey } from '@filmgate/proto/operator/account'
import type { Listed } from '@filmgate/proto/operator/answer'
import type { SecretUse } from '@filmgate/proto/operator/secret'
import { Elysia } from 'elysia'
import { findBalances } from '../balances/balance-repository'
import type { Catalog } from '../catalog/catalog-table'
import type { Reason } from '../errors'
import { keyPrefix, pepperMark } from '../keys/api-key'
import { KeyChangesBody, readBindings } from '../keys/bindings/read-bindings'
import { createKey } from '../keys/create-key'
import { countOtherPeppers, findListedKey, type ListedKey, listKeys } from '../keys/key-repository'
import { NewKeyBody, readExpiry } from '../keys/new-key-body'
import { revokeKey } from '../keys/revoke-key'
import { type RotateDeps, rotateKey } from '../keys/rotate-key'
import { updateKey } from '../keys/update-key'

const keyIdForm = /^[0-9A-Za-z]{1,64}$/

export type KeyRouteDeps = RotateDeps & { sql: Sql; currentCatalog(): Catalog }

export const keyRoutes = (deps: KeyRouteDeps) =>
  new Elysia({ normalize: false })
    .post(
      '/accounts/:id/keys',
      async function postKey({ request, params }): Promise<NewKey> {
        const { name, expires_at, ...given } = await readJsonAs(NewKeyBody, request)
        const { keyId, apiKey } = await createKey(deps, {
          accountId: params.id,
          name,
          expiresAt: expires_at === undefined ? null : readExpiry(expires_at, deps.now()),
          ...readBindings(given, deps.currentCatalog),
          operator: operatorName(request),
        })
        return { key_id: keyId, api_key: apiKey }
      },
      needsRole('money', NewKeyBody),
    )
    .get('/accounts/:id/keys', async function getKeys({ params }): Promise<Listed<KeyRow>> {
      const data = await listKeys(deps.sql, params.id)
      if (data.length === 0 && (await findBalances(deps.sql, [params.id])).length === 0) throw new Failure<Reason>('account_not_found')
      return { data: data.map(operatorKeyView) }
    })
    .get('/keys/:id', async function getKey({ params: { id } }): Promise<OwnedKey> {
      const key = keyIdForm.test(id) ? await findListedKey(deps.sql, id) : undefined
      if (!key) throw new Failure<Reason>('key_not_found')
      return { ...operatorKeyView(key), account_id: key.accountId }
    })
    .patch(
      '/keys/:id',
      async function patchKey({ request, params }): Promise<BoundKey> {
        const changes = readBindings(await readJsonAs(KeyChangesBody, request), deps.currentCatalog)
        return { key_id: params.id, ...(await updateKey(deps, { keyId: params.id, changes, operator: operatorName(request) })) }
      },
      needsRole('money', KeyChangesBody),
    )
    .delete(
      '/keys/:id',
      async function deleteKey({ request, params }): Promise<RevokedKey> {
        await revokeKey(deps, { keyId: params.id, operator: operatorName(request) })
        return { key_id: params.id, revoked: true }
      },
      needsRole('support'),
    )
    .post(
      '/keys/:id/rotate',
      async function postRotation({ request, params }): Promise<NewKey> {
        const { keyId, apiKey } = await rotateKey(deps, { keyId: params.id, operator: operatorName(request) })
        return { key_id: keyId, api_key: apiKey }
      },
      needsRole('money'),
    )
    .get('/secrets', async function getSecrets(): Promise<Listed<SecretUse>> {
      return { data: [{ secret: 'FILMGATE_KEY_PEPPER', left: await countOtherPeppers(deps.sql, pepperMark(deps.pepper)) }] }
    })

/** What operators see of a key: its beginning says which one a client means. */
export const operatorKeyView = (key: ListedKey): KeyRow => ({
  ...{ id: key.id, prefix: keyPrefix(key.id), name: key.name, createdAt: key.createdAt.toISOString() },
  expiresAt: key.expiresAt?.toISOString() ?? null,
  revokedAt: key.revokedAt?.toISOString() ?? null,
  lastUsedAt: key.lastUsedAt?.toISOString() ?? null,
  rotatedAt: key.rotatedAt?.toISOString() ?? null,
  createdBy: key.createdBy,
  models: key.models,
  addresses: key.addresses,
})
