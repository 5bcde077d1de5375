import { afterAll, expect, test } from 'bun:test'
import { insertCallback } from '../callbacks/callback-repository'
import { rotateSecret } from '../endpoints/rotate-secret'
import { startParts } from '../testing/test-service'
import { renewSecrets } from './renew-secrets'
import { createVault } from './vault'

const parts = await startParts([])
afterAll(() => parts.stop())

const key = 'a-key-of-the-tests-of-some-length-0123456789'
const other = 'another-key-of-the-tests-of-the-same-length'

test('secrets of endpoints, former ones and those of callbacks stand under the first key then, and what no key opens is counted', async () => {
  const { sql } = parts
  const account = 'acct_1'
  const { endpoint, secret } = await parts.createEndpoint(account, 'https://example.com/hook')
  const rotated = await rotateSecret(parts, { accountId: account, id: endpoint.id })
  const callback = { taskId: 'vt_1', accountId: account, url: 'https://example.com/own', endpointId: 'whe_callbacks', keptDays: 1 }
  await insertCallback(sql, { ...callback, secret: await parts.vault.seal('vt_1', 'mine') })
  await insertCallback(sql, { ...callback, taskId: 'vt_2', secret: null })
  const vault = await createVault([other, key])
  expect(await renewSecrets({ sql, vault }, '')).toEqual({ secret: 'FILMGATE_WEBHOOKS_SECRET_KEY', renewed: 3, left: 0, next: null })
  expect(await renewSecrets({ sql, vault }, '')).toMatchObject({ renewed: 0, left: 0 })
  const next = await createVault([other])
  const [row] = await sql<{ secret: Buffer; former: Buffer }[]>`
    select secret, former_secret as former from endpoint where id = ${endpoint.id}`
  const [kept] = await sql<{ secret: Buffer }[]>`select secret from callback where task_id = 'vt_1'`
  if (!row || !kept) throw new Error('rows are gone')
  const opened = [next.open(endpoint.id, row.secret), next.open(endpoint.id, row.former), next.open('vt_1', kept.secret)]
  expect(await Promise.all(opened)).toEqual([rotated?.secret ?? '', secret, 'mine'])
  expect(await renewSecrets({ sql, vault: await createVault([key]) }, '')).toMatchObject({ renewed: 0, left: 3 })
})

test('a portion begins after the id that it is given', async () => {
  expect(await renewSecrets(parts, 'vt_1')).toMatchObject({ left: 2 })
  expect(await renewSecrets(parts, 'whf')).toMatchObject({ left: 0 })
})
