import { afterAll, expect, test } from 'bun:test'
import { testConsole } from '../testing/test-console'
import { enforceLimit } from './enforce-limit'
import { signInLimits } from './limits'

const it = await testConsole({ signInsPerAddress: 50 })
afterAll(it.drop)

const password = 'not the password of anybody'

test('whoever has one /64 of IPv6 has the tries of one address, whichever of its addresses they take', async () => {
  const limit = signInLimits({ signInsPerAddress: 50, signUpsPerAddress: 50 }).signInAddress
  for (const index of Array.from({ length: 49 }, (_, index) => index)) await enforceLimit(it.sql, limit, `2001:db8:0:1::${index + 1}`)
  const statuses: number[] = []
  for (const index of [50, 51])
    statuses.push((await it.browser(`2001:db8:0:1::${index}`).post('/sign-in', { email: `person${index}@example.com`, password })).status)
  expect(statuses).toEqual([400, 429])
  expect((await it.browser('2001:db8:0:2::1').post('/sign-in', { email: 'neighbour@example.com', password })).status).toBe(400)
})

test('an address of IPv4 that is written as one of IPv6 is the same, and its neighbours are others', async () => {
  const limit = { name: 'test', max: 1, windowMs: 60_000, by: 'address' } as const
  await enforceLimit(it.sql, limit, '192.0.2.1')
  expect(enforceLimit(it.sql, limit, '::ffff:192.0.2.1')).rejects.toMatchObject({ reason: 'too_many' })
  await enforceLimit(it.sql, limit, '::ffff:192.0.2.2')
})

test('a /48 has ten times the tries of one address, and one network of it can not use them up', async () => {
  const limit = { name: 'site', max: 2, windowMs: 60_000, by: 'address' } as const
  const take = (address: string) =>
    enforceLimit(it.sql, limit, address).then(
      () => 'taken',
      () => 'refused',
    )
  for (let index = 0; index < 30; index++) await take(`2001:db8:9:1::${index}`)
  const networks: string[] = []
  for (let index = 2; index < 21; index++) networks.push(await take(`2001:db8:9:${index}::1`))
  expect(networks).toEqual([...Array.from({ length: 18 }, () => 'taken'), 'refused'])
  expect(await take('2001:db8:a:1::1')).toBe('taken')
})
