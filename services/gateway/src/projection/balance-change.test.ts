import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import { create, type MessageInitShape } from '@bufbuild/protobuf'
import { type TestDatabase, testDatabase } from '@filmgate/kit/testing'
import { CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { findBalances, mergeBalances } from '../balances/balance-repository'
import { balanceOf, newestBalances } from './balance-change'
import type { PipelineEvent } from './pipeline-event'

let database: TestDatabase
beforeAll(async () => {
  database = await testDatabase(join(import.meta.dir, '../../migrations'))
})
afterAll(() => database.drop())

const eventOf = (event: MessageInitShape<typeof CreditsEventSchema>['event']): PipelineEvent => create(CreditsEventSchema, { event }).event

/** What one account's events leave of its balance, each of `batches` merged by itself. */
async function balanceAfter(batches: (accountId: string) => PipelineEvent[][]) {
  const id = `acct_${crypto.randomUUID()}`
  await database.sql`insert into account (id, name) values (${id}, 'test')`
  for (const batch of batches(id)) await mergeBalances(database.sql, newestBalances(batch.flatMap(event => balanceOf(event) ?? [])))
  const [{ accountId: _, ...balance } = { accountId: '' }] = await findBalances(database.sql, [id])
  return balance
}

const told = (accountId: string) => ({
  changed: (balanceVersion: bigint, available: bigint, starter: bigint) =>
    eventOf({ case: 'balanceChanged', value: { accountId, available, starter, balanceVersion } }),
  reserved: (balanceVersion: bigint, available: bigint) =>
    eventOf({ case: 'creditsReserved', value: { order: { accountId }, available, balanceVersion } }),
})

test('a reservation that spent starter credits is told twice under one version: in either order, together or apart, both balances are right', async () => {
  const orders = (id: string) => {
    const { changed, reserved } = told(id)
    const [before, reservation, after] = [changed(4n, 100n, 50n), reserved(5n, 90n), changed(5n, 90n, 20n)]
    return { before, reservation, after }
  }
  const right = { available: 90, starter: 20, version: 5 }
  const apart = (id: string, flip: boolean) => {
    const { before, reservation, after } = orders(id)
    return flip ? [[before], [after], [reservation]] : [[before], [reservation], [after]]
  }
  expect(await balanceAfter(id => apart(id, false))).toEqual(right)
  expect(await balanceAfter(id => apart(id, true))).toEqual(right)
  expect(await balanceAfter(id => [apart(id, false).flat()])).toEqual(right)
  expect(await balanceAfter(id => [apart(id, true).flat()])).toEqual(right)
  expect(await balanceAfter(id => [apart(id, true).flat().toReversed()])).toEqual(right)
})

test('an older balance changes neither, and a newer one that says nothing of starter leaves it', async () => {
  const batches = (id: string) => {
    const { changed, reserved } = told(id)
    return [[changed(4n, 100n, 50n)], [reserved(6n, 70n)], [changed(3n, 1n, 1n)], [changed(5n, 90n, 20n)], [changed(4n, 100n, 50n)]]
  }
  const right = { available: 70, starter: 20, version: 6 }
  expect(await balanceAfter(batches)).toEqual(right)
  expect(await balanceAfter(id => [batches(id).flat()])).toEqual(right)
  expect(await balanceAfter(id => [batches(id).flat().toReversed()])).toEqual(right)
})

test('a ledger that was restored is believed from its epoch on, and not what it said of the lost hour', async () => {
  const epoch = 1_790_000_000_000_000n
  const batches = (id: string) => {
    const { changed, reserved } = told(id)
    return [[changed(500n, 10_000n, 70n)], [changed(epoch, 1_500n, 20n)], [reserved(499n, 9_000n), changed(500n, 10_000n, 70n)]]
  }
  const right = { available: 1_500, starter: 20, version: Number(epoch) }
  expect(await balanceAfter(batches)).toEqual(right)
  expect(await balanceAfter(id => [batches(id).flat().toReversed()])).toEqual(right)
})
