import { expect, test } from 'bun:test'
import { createVault, newSecret } from './vault'

const key = 'a-key-of-the-tests-of-some-length-0123456789'

test('a sealed secret opens for its endpoint and key, and for no other', async () => {
  const vault = await createVault([key])
  const secret = newSecret()
  const sealed = await vault.seal('whe_1', secret)
  expect(await vault.open('whe_1', sealed)).toBe(secret)
  expect(sealed.toString('latin1')).not.toContain(secret)
  await expect(vault.open('whe_2', sealed)).rejects.toThrow()
  await expect((await createVault([`${key}0`])).open('whe_1', sealed)).rejects.toThrow()
  sealed[20] = (sealed[20] ?? 0) ^ 1
  await expect(vault.open('whe_1', sealed)).rejects.toThrow()
})

test('each secret is new, and each sealing has a nonce of its own', async () => {
  const vault = await createVault([key])
  expect(newSecret()).not.toBe(newSecret())
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect((await vault.seal('whe_1', 'a')).equals(await vault.seal('whe_1', 'a'))).toBe(false)
})

test('each key opens, the first one seals, and what is under another one is renewed once', async () => {
  const other = `${key}0`
  const [former, both, next] = await Promise.all([createVault([key]), createVault([other, key]), createVault([other])])
  const sealed = await former.seal('whe_1', 'a secret')
  expect(await both.open('whe_1', sealed)).toBe('a secret')
  expect(await next.open('whe_1', await both.seal('whe_1', 'b'))).toBe('b')
  const renewed = await both.renew('whe_1', sealed)
  expect(renewed && (await next.open('whe_1', renewed))).toBe('a secret')
  expect(renewed && (await both.renew('whe_1', renewed))).toBeUndefined()
  await expect(next.renew('whe_1', sealed)).rejects.toThrow(AggregateError)
  await expect(both.renew('whe_2', sealed)).rejects.toThrow(AggregateError)
})
