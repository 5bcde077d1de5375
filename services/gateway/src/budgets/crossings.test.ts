import { afterAll, beforeAll, expect, test } from 'bun:test'
import { create } from '@bufbuild/protobuf'
import { timestampFromDate } from '@bufbuild/protobuf/wkt'
import { BudgetPeriod, CreditsEventSchema } from '@filmgate/proto/gen/filmgate/v1/credits_pb'
import { BudgetScope } from '@filmgate/proto/gen/filmgate/v1/requests_pb'
import { consoleApi } from '../console/testing/console-api'
import { project } from '../projection/project'
import { deleteOldCrossings } from './crossing-repository'

const at = new Date('2026-10-31T22:30:00.000Z')
let api: Awaited<ReturnType<typeof consoleApi>>
beforeAll(async () => {
  api = await consoleApi()
})
afterAll(() => api.close())

type Crossed = { percent: number; cap?: bigint; spent?: bigint; period?: BudgetPeriod }
type Of = { accountId: string; scope?: BudgetScope; subjectId?: string; day?: string; month?: string; when?: Date }

function spent(
  { accountId, scope = BudgetScope.ACCOUNT, subjectId = accountId, day = '2026-10-31', month = '2026-10', when = at }: Of,
  crossed: Crossed[],
) {
  const value = {
    ...{ accountId, scope, subjectId, version: 1n, balanceVersion: 2n, at: timestampFromDate(when), day, month },
    crossed: crossed.map(({ percent, cap = 100n, spent = 80n, period = BudgetPeriod.DAY }) => ({ percent, cap, spent, period })),
  }
  const { event } = create(CreditsEventSchema, { event: { case: 'budgetSpent', value } })
  return {
    ...{ topic: 't', partition: 0, offset: '0', key: accountId, eventId: crypto.randomUUID(), traceparent: undefined },
    timestampMs: 0,
    event,
  }
}
const merge = (...events: ReturnType<typeof spent>[]) => project({ sql: api.sql, wake: () => {} }, events)

type Row = { id: string; account_id: string; percent: number }
async function take(accountId: string, taken: string[] = []): Promise<Row[]> {
  const { status, body } = await api.ask('POST', '/budget-crossings', { body: { taken } })
  expect(status).toBe(200)
  return (body.data as Row[]).filter(row => row.account_id === accountId)
}

test('a crossing comes until it is taken, and once, however often its event does', async () => {
  const accountId = await api.open()
  const { key_id } = (await api.ask('POST', `/accounts/${accountId}/keys`, { body: { name: 'render' } })).body
  await api.ask('PUT', `/accounts/${accountId}/budgets/account/${accountId}`, { body: { day: 100, time_zone: 'Europe/Berlin' } })
  const event = spent({ accountId, scope: BudgetScope.KEY, subjectId: String(key_id) }, [{ percent: 80, spent: 84n }])
  await merge(event, event)
  const [row, ...more] = await take(accountId)
  expect(more).toEqual([])
  expect(row as object).toEqual({
    ...{ id: expect.stringMatching(/^[0-9a-f-]{36}$/), account_id: accountId, budget: 'key', subject_id: key_id, key_name: 'render' },
    ...{
      period: 'day',
      percent: 80,
      max_credits: 100,
      spent_credits: 84,
      resets_at: '2026-10-31T23:00:00.000Z',
      time_zone: 'Europe/Berlin',
    },
  })
  expect(await take(accountId)).toEqual([row as Row])
  await merge(event)
  expect(await take(accountId, [String(row?.id)])).toEqual([])
  await Promise.all([merge(event), merge(event)])
  expect(await take(accountId)).toEqual([])
})

test('of thresholds that are crossed at once the highest comes, and a lower one never after it', async () => {
  const accountId = await api.open()
  await merge(spent({ accountId }, [{ percent: 100 }]), spent({ accountId }, [{ percent: 80 }, { percent: 100 }]))
  const first = await take(accountId)
  expect(first.map(({ percent }) => percent)).toEqual([100])
  await merge(spent({ accountId }, [{ percent: 80 }]))
  expect(
    await take(
      accountId,
      first.map(({ id }) => id),
    ),
  ).toEqual([])
})

test('a threshold that is crossed while a lower one is being taken is kept', async () => {
  const accountId = await api.open()
  await merge(spent({ accountId }, [{ percent: 80 }]))
  const lower = await take(accountId)
  await merge(spent({ accountId }, [{ percent: 100 }]))
  const higher = await take(
    accountId,
    lower.map(({ id }) => id),
  )
  expect(higher.map(({ percent }) => percent)).toEqual([100])
})

test('another period, budget or cap crosses its own threshold', async () => {
  const [accountId, other] = [await api.open(), await api.open()]
  const month = { period: BudgetPeriod.MONTH, percent: 80 }
  const total = { period: BudgetPeriod.TOTAL, percent: 80 }
  await merge(spent({ accountId }, [{ percent: 80 }, month, total]))
  await merge(spent({ accountId, day: '2026-11-01', month: '2026-11' }, [{ percent: 80 }, month, total]))
  await merge(spent({ accountId, day: '2026-11-01' }, [{ percent: 80, cap: 200n }]))
  await merge(spent({ accountId: other }, [total]), spent({ accountId, scope: BudgetScope.MEMBER, subjectId: 'ada' }, [total]))
  expect([(await take(accountId)).length, (await take(other)).length]).toEqual([7, 1])
})

test('ids that are none are refused, and old days are forgotten, but no total', async () => {
  expect((await api.ask('POST', '/budget-crossings', { body: { taken: ['-'.repeat(36)] } })).status).toBe(400)
  const accountId = await api.open()
  const old = new Date(Date.now() - 63 * 86_400_000)
  await merge(
    spent({ accountId, when: old }, [{ percent: 80 }, { percent: 80, period: BudgetPeriod.TOTAL }]),
    spent({ accountId, day: 'new', when: new Date() }, [{ percent: 80 }]),
  )
  await deleteOldCrossings(api.sql, 62)
  const rows = await api.sql`select label from budget_crossing where account_id = ${accountId} order by label`
  expect([...rows]).toEqual([{ label: 'new' }, { label: 'total' }])
})
