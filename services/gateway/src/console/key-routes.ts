import { operatorName } from '@filmgate/kit/operator/operator-name'
import { readJsonAs, takes } from '@filmgate/kit/request/read-json'
import { Elysia } from 'elysia'
import type { Catalog } from '../catalog/catalog-table'
import { readAlone } from '../database/batched-read'
import { keyPrefix } from '../keys/api-key'
import { KeyChangesBody, readBindings } from '../keys/bindings/read-bindings'
import { createKey } from '../keys/create-key'
import { type ListedKey, listKeys } from '../keys/key-repository'
import { NewKeyBody, readExpiry } from '../keys/new-key-body'
import { revokeKey } from '../keys/revoke-key'
import { type RotateDeps, rotateKey } from '../keys/rotate-key'
import { updateKey } from '../keys/update-key'
import { type AuthDeps, accountAuth, throwIfClosed } from './auth'

export type KeyRouteDeps = AuthDeps & RotateDeps & { currentCatalog(): Catalog }

export const keyRoutes = (deps: KeyRouteDeps) =>
  new Elysia({ normalize: false })
    .use(accountAuth(deps))
    .get('/accounts/:id/keys', async function getKeys({ account, leftMs }) {
      const keys = await readAlone(listKeys(deps.sql, account.id), leftMs)
      return { data: keys.toReversed().map(keyView) }
    })
    .post(
      '/accounts/:id/keys',
      async function postKey({ request, account }) {
        throwIfClosed(account)
        const { name, expires_at, ...given } = await readJsonAs(NewKeyBody, request)
        const expiresAt = expires_at === undefined ? null : readExpiry(expires_at, deps.now())
        const bindings = readBindings(given, deps.currentCatalog)
        const input = { accountId: account.id, name, expiresAt, ...bindings, operator: operatorName(request) }
        const { keyId, apiKey } = await createKey(deps, input)
        return { key_id: keyId, api_key: apiKey }
      },
      takes(NewKeyBody),
    )
    .post('/accounts/:id/keys/:key/rotate', async function postRotation({ request, account, params: { key } }) {
      const operator = operatorName(request)
      const { keyId, apiKey } = await rotateKey(deps, { keyId: key, accountId: account.id, operator })
      return { key_id: keyId, api_key: apiKey }
    })
    .patch(
      '/accounts/:id/keys/:key',
      async function patchKey({ request, account, params: { key } }) {
        const changes = readBindings(await readJsonAs(KeyChangesBody, request), deps.currentCatalog)
        const bindings = await updateKey(deps, { keyId: key, accountId: account.id, changes, operator: operatorName(request) })
        return { key_id: key, ...bindings }
      },
      takes(KeyChangesBody),
    )
    .delete('/accounts/:id/keys/:key', async function deleteKey({ request, account, params: { key } }) {
      await revokeKey(deps, { keyId: key, accountId: account.id, operator: operatorName(request) })
      return { key_id: key, revoked: true }
    })

const keyView = (key: ListedKey) => ({
  key_id: key.id,
  name: key.name,
  prefix: keyPrefix(key.id),
  created_at: key.createdAt.toISOString(),
  created_by: key.createdBy,
  last_used_at: key.lastUsedAt?.toISOString() ?? null,
  expires_at: key.expiresAt?.toISOString() ?? null,
  revoked_at: key.revokedAt?.toISOString() ?? null,
  rotated_at: key.rotatedAt?.toISOString() ?? null,
  models: key.models,
  addresses: key.addresses,
})
