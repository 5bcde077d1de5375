import { expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import { audit, operate } from '../support/operator/operator'
import { ops, opsDone } from '../support/operator/ops'
import { until } from '../support/until'

type Change = { state: string; refusal: string | null; available: number; operator: string }

const newTerms = (credits: number) => ({ id: crypto.randomUUID(), credits, balance: 'paid', reason: 'a test', by: 'ada' })
const change = (accountId: string, kind: 'grants' | 'debits', terms: object) =>
  operate<Change>('gateway', 'POST', `/accounts/${accountId}/${kind}`, terms)

test('grants and debits move credits once for their ids, answer what became of them, and never take more than there is', async () => {
  const { api, accountId } = await openAccount({ credits: 100 })
  const [given, taken, tooMuch] = [newTerms(50), newTerms(30), newTerms(121)]
  const repeated = await Promise.all([1, 2, 3].map(() => change(accountId, 'grants', given)))
  for (const one of repeated) expect(one).toMatchObject({ state: 'applied', available: 150, operator: 'ada' })
  expect(await change(accountId, 'debits', taken)).toMatchObject({ state: 'applied', available: 120 })
  expect(await change(accountId, 'debits', tooMuch)).toMatchObject({ state: 'declined', refusal: 'insufficient_credits', available: 120 })
  expect(await change(accountId, 'debits', taken)).toMatchObject({ state: 'applied', available: 120 })
  await until('the balance', async () => (await api.credits()) === 120)
  expect(await audit()).toEqual([])
})

test('an id asked for with other terms is 409, moves nothing, and is a finding until an operator acknowledges it', async () => {
  const { api, accountId } = await openAccount({ credits: 100 })
  const terms = newTerms(50)
  await change(accountId, 'grants', terms)
  await expect(change(accountId, 'grants', { ...terms, credits: 51 })).rejects.toThrow('409 {"error":{"code":"change_id_reused"')
  const findings = await until('the finding', async () => {
    const found = await audit()
    return found.length > 0 && found
  })
  const asked = `grant of 51 paid credits of account ${accountId} (a test)`
  const known = `grant of 50 paid credits of account ${accountId} (a test)`
  expect(findings).toEqual([{ check: 'verdict_contradicts', detail: `${terms.id} was asked for as ${asked}, known as ${known}` }])
  const acknowledge = () => ops('task', 'acknowledge', terms.id, '--reason', 'a slip of the hand', '--by', 'ada', '--json')
  expect(JSON.parse((await acknowledge()).stdout)).toEqual({ acknowledged: 1 })
  expect(await audit()).toEqual([])
  const { contradictions } = JSON.parse(await opsDone('task', 'show', terms.id, '--json'))
  expect(contradictions).toMatchObject([{ acknowledged_by: 'ada', acknowledged_reason: 'a slip of the hand' }])
  expect(await acknowledge()).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('contradiction_not_found') })
  expect(await api.credits()).toBe(150)
})
