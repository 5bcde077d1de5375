import { afterAll, expect, test } from 'bun:test'
import { testDatabase, testLog, until } from '@filmgate/kit/testing'
import { migrationsFolder } from '../database/migrations-folder'
import type { Actor, Gateway, GatewayRequest } from '../gateway/gateway'
import { insertVerifiedPerson } from '../people/person-repository'
import { insertAccount } from './account-repository'
import { openPersonalAccount } from './activate-person'
import { openAccount, startAccountOpeningWorker } from './open-account'
import { insertOpening } from './opening-repository'

const { sql, drop } = await testDatabase(migrationsFolder)
afterAll(drop)

test('an account is opened and its starter credits are asked for, however often the gateway is away meanwhile', async () => {
  const asked: string[] = []
  let faults = 3
  const request = async ({ id }: Actor, { method, path, body }: GatewayRequest) => {
    if (faults-- > 0) throw new Error('the gateway is away')
    asked.push(`${id} ${method} ${path} ${JSON.stringify(body)}`)
    return { ok: true, status: 200, value: {} as never } as const
  }
  const person = { id: 'p1', name: 'Ada', email: 'ada@example.com' }
  await sql.begin(async sql => {
    await insertVerifiedPerson(sql, person)
    await openPersonalAccount(sql, { ...person, address: null }, [])
  })
  const worker = startAccountOpeningWorker({ sql, log: testLog, gateway: { request } as unknown as Gateway })
  await until('opened', async () => (await sql`select 1 from account_opening`).length === 0)
  await worker.stop()
  const [account] = await sql<{ id: string }[]>`select id from account`
  expect(asked.slice(-2)).toEqual([
    `p1 PUT /accounts/${account?.id} {"name":"Ada"}`,
    `p1 POST /accounts/${account?.id}/starter-credits undefined`,
  ])
})

test('an opening that the gateway refuses for good is given up, and one that it refuses for now is not', async () => {
  const openings = ['refused', 'waiting'].map(accountId => ({
    ...{ accountId, accountName: 'Ada', personId: 'p2', email: 'eve@example.com', tries: 1, starter: true },
    status: accountId === 'refused' ? 400 : 503,
  }))
  await sql.begin(sql => insertVerifiedPerson(sql, { id: 'p2', name: 'Eve', email: 'eve@example.com' }))
  for (const { accountId, status, ...opening } of openings) {
    await sql.begin(async sql => {
      await insertAccount(sql, { id: accountId, name: 'Ada', personId: 'p2' })
      await insertOpening(sql, { accountId, personId: 'p2', starter: true })
    })
    const request = async () => ({ ok: false, status, code: 'refused' })
    await openAccount({ sql, log: testLog, gateway: { request } as unknown as Gateway }, { accountId, ...opening })
  }
  expect([...(await sql`select account_id as id from account_opening`)]).toEqual([{ id: 'waiting' }])
})
