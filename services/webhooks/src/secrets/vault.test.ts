import { expect, test } from 'bun:test'
import { createVault, newSecret } from './vault'

const key = 'a-key-of-the-tests-of-some-length-0123456789'

test('a sealed secret opens for its endpoint and key, and for no other', async () => {
  const vault = await createVault(key)
  const secret = newSecret()
  const sealed = await vault.seal('whe_1', secret)
  expect(await vault.open('whe_1', sealed)).toBe(secret)
  expect(sealed.toString('latin1')).not.toContain(secret)
  await expect(vault.open('whe_2', sealed)).rejects.toThrow()
  await expect((await createVault(`${key}0`)).open('whe_1', sealed)).rejects.toThrow()
  sealed[20] = (sealed[20] ?? 0) ^ 1
  await expect(vault.open('whe_1', sealed)).rejects.toThrow()
})

test('each secret is new, and each sealing has a nonce of its own', async () => {
  const vault = await createVault(key)
  expect(newSecret()).not.toBe(newSecret())
  expect(newSecret()).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect((await vault.seal('whe_1', 'a')).equals(await vault.seal('whe_1', 'a'))).toBe(false)
})
