import { expect, test } from 'bun:test'
import { createKey, openAccount, revokeKey, rotateKey } from '../../support/client/account'
import { createApi } from '../../support/client/api'
import { expectError } from '../../support/client/errors'
import { askOperator } from '../../support/operator/operator'
import { passHours } from '../../support/servers/databases'

const keysMax = 20

test('an account has twenty keys that work: the next is refused with words, a revoked or expired one makes room', async () => {
  const { accountId } = await openAccount()
  const keys = await Promise.all(Array.from({ length: keysMax - 3 }, () => createKey(accountId)))
  const expiring = await createKey(accountId, { expires_at: new Date(Date.now() + 3_600_000).toISOString() })
  const ask = () => askOperator('gateway', 'POST', `/accounts/${accountId}/keys`, { name: 'another' })
  // One is left; of three at once one gets it.
  const answers = await Promise.all([ask(), ask(), ask()])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
  const refused = await ask()
  expectError(refused, 409, 'too_many_keys')
  expect(refused.body.error?.message).toBe('An account has at most 20 keys that work.')

  await revokeKey(keys[0]?.key_id ?? '')
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 409])
  await passHours.ofKey(expiring.key_id, 1)
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 409])
  expect((await createApi(keys.at(-1)?.api_key ?? null).get('/credits')).status).toBe(200)
})

const formerSecretsMax = 10

test('ten former secrets work beside a key’s own: the next rotation is refused and ends none of them, one that has ended makes room', async () => {
  const { accountId } = await openAccount()
  const first = await createKey(accountId)
  const secrets = [first.api_key]
  for (let rotation = 0; rotation < formerSecretsMax; rotation++) {
    if (rotation === 1) await passHours.ofRotation(first.key_id, 1)
    secrets.push((await rotateKey(first.key_id)).api_key)
  }
  const ask = () => askOperator('gateway', 'POST', `/keys/${first.key_id}/rotate`)
  const refused = await ask()
  expectError(refused, 409, 'too_many_secrets')
  expect(refused.body.error?.message).toBe(
    'Ten former secrets of this key still work. Rotate it when the first of them has ended, or revoke it.',
  )
  const statuses = await Promise.all(secrets.map(async secret => (await createApi(secret).get('/credits')).status))
  expect(statuses).toEqual(secrets.map(() => 200))
  await passHours.ofRotation(first.key_id, 23)
  // Of two at once one gets the place.
  expect((await Promise.all([ask(), ask()])).map(({ status }) => status).toSorted()).toEqual([200, 409])
})
