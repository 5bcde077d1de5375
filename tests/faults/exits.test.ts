import { afterAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { expectEnded, post, prepare, unfinishedMax } from '../support/client/locked-account'
import { audit, operate } from '../support/operator/operator'
import { ops, opsDone } from '../support/operator/ops'
import { forgetRequests, refuseRows, taskIdsOf } from '../support/servers/databases'
import { deadLetters, type Letter, opsDlq } from '../support/servers/dead-letters'
import { deleteRecords, writtenTo } from '../support/servers/topic-records'
import { move } from '../support/stack'
import { until } from '../support/until'

const testTimeoutMs = 240_000

type Replayed = { replayed: number; copies: number; interrupted: boolean; refused: string[] }

test(
  'orders set aside whose requests were not kept: ops dlq replay sends each back once, and it is made and paid for',
  async () => {
    const work = await prepare()
    const accept = await refuseRows(['dispatcher', 'attempt'], work.account.accountId)
    const posted = post(work)
    await until('the letters', async () => (await deadLetters()).length >= unfinishedMax).finally(accept)
    await forgetRequests(work.account.accountId)
    // Three, and three more where they were replayed meanwhile.
    const { would_replay: letters } = await opsDlq<{ would_replay: Letter[] }>('replay', '--dry-run')
    expect(letters.length).toBeGreaterThanOrEqual(unfinishedMax)
    expect(new Set(letters.map(({ key }) => key))).toEqual(new Set([work.account.accountId]))
    const { replayed, copies, ...rest } = await opsDlq<Replayed>('replay')
    expect({ ...rest, removed: replayed + copies }).toEqual({ removed: letters.length, interrupted: false, refused: [] })
    expect(await opsDlq<Replayed>('replay')).toMatchObject({ replayed: 0 })
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
  },
  testTimeoutMs,
)

test(
  'orders that the broker lost and whose requests were not kept: ops task replay has each made and paid for',
  async () => {
    const work = await prepare()
    await move('dispatcher', 'kill')
    const before = await writtenTo('credits')
    const posted = post(work)
    await until('the orders', async () => (await writtenTo('credits')) >= before + unfinishedMax, 60_000)
    await deleteRecords('credits')
    await forgetRequests(work.account.accountId)
    await move('dispatcher', 'start')
    const taskIds = await taskIdsOf(work.account.accountId)
    for (const id of taskIds) expect(await opsDone('task', 'replay', id)).toContain('creditsReserved')
    expect((await posted).toSorted()).toEqual(taskIds.toSorted())
    expect(await expectEnded(work, await posted)).toEqual(Array(unfinishedMax).fill('completed'))
  },
  testTimeoutMs,
)

test(
  'a grant that the broker lost: ops account grant under its id has it applied, once however often',
  async () => {
    const { accountId, api } = await openAccount({ credits: 100 })
    const words = ['account', 'grant', accountId, '--credits', '50', '--reason', 'a gift', '--id', crypto.randomUUID()]
    await move('ledger', 'kill')
    const before = await writtenTo('requests')
    const [asked] = await Promise.all([
      ops(...words),
      until('the request for it', async () => (await writtenTo('requests')) > before, 60_000),
    ])
    expect(asked).toMatchObject({ exitCode: 1, stdout: expect.stringContaining('pending') })
    await deleteRecords('requests')
    await move('ledger', 'start')
    await until('the grant', async () => (await ops(...words)).exitCode === 0, 60_000)
    expect(await api.credits()).toBe(150)
    expect(await opsDone(...words)).toContain('applied')
    expect(await api.credits()).toBe(150)
  },
  testTimeoutMs,
)

test('a grant asked for again with other terms: ops task acknowledge closes its finding, and no credits move', async () => {
  const { accountId, api } = await openAccount({ credits: 100 })
  const terms = { id: crypto.randomUUID(), credits: 50, balance: 'paid', reason: 'a test', by: 'ada' }
  const grant = (changes: object) => operate('gateway', 'POST', `/accounts/${accountId}/grants`, { ...terms, ...changes })
  await grant({})
  await expect(grant({ credits: 51 })).rejects.toThrow('change_id_reused')
  await until('the finding', async () => (await audit()).length > 0)
  await opsDone('task', 'acknowledge', terms.id, '--reason', 'a slip of the hand', '--by', 'ada')
  expect(await audit()).toEqual([])
  expect(await api.credits()).toBe(150)
})

afterAll(async () => {
  expect([await deadLetters(), await audit()]).toEqual([[], []])
})
