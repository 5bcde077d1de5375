import { expect, test } from 'bun:test'
import { Elysia } from 'elysia'
import type { Secrets } from '../environment/secrets'
import { requireBearer } from './require-bearer'

const statusOf = async (tokens: Secrets, authorization: string) => {
  const app = new Elysia()
    .onError(({ set }) => {
      set.status = 401
      return 'refused'
    })
    .use(requireBearer(tokens, () => new Error('refused')))
    .get('/', () => 'in')
  return (await app.handle(new Request('http://service/', { headers: { authorization } }))).status
}

test('each accepted token opens, and nothing else', async () => {
  const tokens: Secrets = ['the-current-token', 'the-former-token']
  expect(await statusOf(tokens, 'Bearer the-current-token')).toBe(200)
  expect(await statusOf(tokens, 'Bearer the-former-token')).toBe(200)
  for (const other of ['Bearer the-former-toke', 'Bearer the-current-token,the-former-token', 'Bearer ', 'the-current-token'])
    expect([other, await statusOf(tokens, other)]).toEqual([other, 401])
  expect(await statusOf(['the-current-token'], 'Bearer the-former-token')).toBe(401)
})
