import { afterAll, expect, test } from 'bun:test'
import { day, refunded, reserved, usageRecords } from '../../usage/testing/usage-records'
import { findSelf } from './self-repository'

const { sql, newAccount, newTask, record, drop } = await usageRecords()
afterAll(drop)

test('what a key spent, less refunds on the day of their reservation; other keys and the console do not count', async () => {
  const account = await newAccount()
  const [key, other] = [crypto.randomUUID(), crypto.randomUUID()]
  for (const id of [key, other])
    await sql`insert into api_key (id, account_id, name, secret_hash) values (${id}, ${account}, 'mine', ${Buffer.from(id)})`
  const task = (keyId: string, surface = 'api') => newTask(account, { keyId, surface })
  const at = ['01T00:00:00', '19T23:59:59', '20T00:00:00', '20T12:00:00'].map(day)
  const [first, yesterday, today, noon] = at as [Date, Date, Date, Date]
  const october = new Date('2026-10-31T23:59:59Z')
  const refundedToday = await task(key)
  await record([
    reserved(await task(key), 1n, 0n, october),
    reserved(await task(key), 2n, 0n, first),
    reserved(refundedToday, 4n, 0n, yesterday),
    reserved(await task(key), 8n, 0n, today),
    reserved(await task(key), 16n, 0n, noon),
    refunded(refundedToday, 4n, 0n, noon),
    reserved(await task(other), 100n, 0n, noon),
    reserved(await task(`console:${account}`, 'web'), 100n, 0n, noon),
  ])
  const self = { name: 'mine', createdAt: expect.any(Date), expiresAt: null, models: null, addresses: null, unfinishedTasksMax: null }
  expect(await findSelf(sql, key, noon)).toEqual({ ...self, today: 24, month: 26 })
  expect(await findSelf(sql, key, yesterday)).toMatchObject({ today: 24, month: 26 })
  expect(await findSelf(sql, crypto.randomUUID(), noon)).toBeUndefined()
})
