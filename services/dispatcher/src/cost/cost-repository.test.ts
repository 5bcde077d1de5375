import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { attemptIdAt } from '../attempt/attempt-id'
import { findAttemptCosts, sumCosts } from './cost-repository'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const from = new Date('2026-11-01T00:00:00Z')
const to = new Date('2026-11-08T00:00:00Z')

type Row = {
  state: string
  provider?: string
  model?: string
  made?: boolean
  credits?: number | null
  listed?: number
  unit?: number
  usd?: number
  units?: number
  at?: Date
  accountId?: string
}

let rows = 0
/** An attempt of that time; ended unless its state is an open one. */
async function attempt({
  state,
  provider = 'fal',
  model = 'm',
  made = false,
  credits = 50,
  listed,
  unit,
  usd,
  units,
  at = from,
  accountId = 'acc',
}: Row): Promise<string> {
  const id = `${attemptIdAt(at.getTime())}7${String(++rows).padStart(19, '0')}`
  const isOpen = ['sending', 'unknown', 'accepted', 'overdue', 'copying'].includes(state)
  await database.sql`
    insert into attempt (id, task_id, account_id, number, provider, provider_model, model, state, provider_task_id, absence_proves_at, output_key, ended_at,
                         credits, listed_micro_usd, unit_micro_usd, billed_micro_usd, billed_micro_units)
    values (${id}, ${`vt_${id}`}, ${accountId}, 1, ${provider}, 'theirs', ${model}, ${state}, ${`task-${id}`}, now(), ${made ? id : null}, ${isOpen ? null : at},
            ${credits}, ${listed ?? null}, ${unit ?? null}, ${usd ?? null}, ${units ?? null})`
  return id
}

const costOf = async (row: Row) => {
  const id = await attempt({ ...row, provider: 'alone' })
  const all = await findAttemptCosts(database.sql, { from, to, provider: 'alone', after: '', rowsMax: 1_000 })
  const own = all.find(one => one.id === id)
  return [own?.basis, own?.costMicroUsd]
}

test('a cost is what the provider told, in money or in units with a price; else what the route lists for a video that was made', async () => {
  expect(await costOf({ state: 'completed', made: true, usd: 180_000, units: 5_000_000, unit: 30_000, listed: 1 })).toEqual([
    'told',
    180_000,
  ])
  expect(await costOf({ state: 'completed', made: true, units: 3_008_000, unit: 30_000, listed: 1 })).toEqual(['told', 90_240])
  expect(await costOf({ state: 'completed', made: true, units: 3_008_000, listed: 420_000 })).toEqual(['listed', 420_000])
  expect(await costOf({ state: 'completed', made: true, listed: 420_000 })).toEqual(['listed', 420_000])
  expect(await costOf({ state: 'failed', made: true, listed: 420_000 })).toEqual(['listed', 420_000])
})

test('what nobody knows is unknown and never 0; 0 is what was told, or that no provider took it', async () => {
  expect(await costOf({ state: 'completed', made: true })).toEqual(['unknown', null])
  expect(await costOf({ state: 'completed', made: true, units: 3_000_000 })).toEqual(['unknown', null])
  expect(await costOf({ state: 'failed', listed: 420_000 })).toEqual(['unknown', null])
  expect(await costOf({ state: 'accepted', listed: 420_000 })).toEqual(['unknown', null])
  expect(await costOf({ state: 'failed', usd: 0 })).toEqual(['told', 0])
  expect(await costOf({ state: 'failed', units: 0 })).toEqual(['told', 0])
  expect(await costOf({ state: 'refused', listed: 420_000 })).toEqual(['nothing', 0])
})

test('what an operator refunded without knowing may be billed all the same', async () => {
  const id = await attempt({ state: 'refused', provider: 'refunding' })
  await database.sql`insert into review_decision (attempt_id, task_id, decision, reason) values (${id}, ${`vt_${id}`}, 'refund', 'r')`
  const [own] = await findAttemptCosts(database.sql, { from, to, provider: 'refunding', after: '', rowsMax: 10 })
  expect([own?.basis, own?.costMicroUsd]).toEqual(['unknown', null])
})

test('sums are of ended attempts by provider and model: what is unknown is in none of them, and refunded ones that were billed are a loss', async () => {
  const model = 'summed'
  await attempt({ model, state: 'completed', made: true, usd: 300_000 })
  await attempt({ model, state: 'completed', made: true, listed: 420_000, credits: 60 })
  await attempt({ model, state: 'failed', made: true, usd: 100_000 })
  await attempt({ model, state: 'failed', units: 2_000_000, unit: 10_000 })
  await attempt({ model, state: 'refused' })
  await attempt({ model, state: 'completed', made: true, credits: 70 })
  await attempt({ model, state: 'completed', made: true, usd: 5, credits: null })
  await attempt({ model, state: 'failed' })
  await attempt({ model, state: 'copying', made: true, usd: 1_000_000 })
  await attempt({ model, state: 'unknown' })
  await attempt({ model, state: 'refused', provider: '' })
  await attempt({ model, state: 'completed', made: true, usd: 7, at: new Date(from.getTime() - 1) })
  await attempt({ model, state: 'completed', made: true, usd: 7, at: to })
  const sums = (await sumCosts(database.sql, { from, to })).filter(one => one.model === model)
  expect(sums).toEqual([
    {
      ...{ provider: 'fal', model, attempts: 10, open: 2, completed: 4, unknown: 3, unknownCredits: 70, credits: 110 },
      ...{ toldMicroUsd: 420_000, listedMicroUsd: 420_000, lostMicroUsd: 120_000 },
    },
  ])
})

test('sums of one account leave out the attempts of others', async () => {
  for (const accountId of ['one', 'one', 'other'])
    await attempt({ state: 'completed', made: true, provider: 'of-accounts', usd: 5, accountId })
  const of = async (accountId?: string) =>
    (await sumCosts(database.sql, { from, to, provider: 'of-accounts', accountId })).map(one => one.attempts)
  expect([await of('one'), await of('nobody'), await of()]).toEqual([[2], [], [3]])
})

test('attempts come in portions, each where the one before ended', async () => {
  const ids: string[] = []
  for (let count = 0; count < 3; count++) ids.push(await attempt({ state: 'completed', made: true, provider: 'paged', usd: count }))
  const page = async (after: string) =>
    (await findAttemptCosts(database.sql, { from, to, provider: 'paged', after, rowsMax: 2 })).map(({ id }) => id)
  expect([await page(''), await page(ids[1] ?? '')]).toEqual([ids.slice(0, 2), ids.slice(2)])
})
