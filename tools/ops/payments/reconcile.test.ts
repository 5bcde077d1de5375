import { expect, test } from 'bun:test'
import { ReconciliationRun } from '@filmgate/proto/operator/payment'
import { Value } from '@sinclair/typebox/value'
import { OpsFault } from '../fault'
import type { Call } from '../operator-api'
import { paymentsReconcile, paymentsReconciliations } from './reconcile'

const asked: unknown[] = []
const answering =
  (...answers: object[]): Call =>
  async (...call) => {
    asked.push(call)
    return (answers.shift() ?? {}) as never
  }
const run = { ...Value.Create(ReconciliationRun), id: 'r1', fault: null, findings: [] }
const { findings: _, ...listed } = run
const input = { from: '2026-11-01T00:00:00.000Z', dryRun: true, reason: 'a call', by: 'ada' }

test('a reconciliation is asked for once, and waited for until it ends', async () => {
  asked.length = 0
  const call = answering({ ...run, state: 'running' }, { ...run, state: 'running' }, { ...run, state: 'done', differences: 2 })
  expect(await paymentsReconcile(call, input, { everyMs: 1 })).toMatchObject({ state: 'done', differences: 2 })
  expect(asked).toEqual([
    ['console', 'POST', '/payments/reconciliations', { from: input.from, dry_run: true, reason: 'a call', by: 'ada' }],
    ['console', 'GET', '/payments/reconciliations/r1'],
    ['console', 'GET', '/payments/reconciliations/r1'],
  ])
})

test('one that failed says why, and the list leaves out what each found', async () => {
  const failing = answering({ ...run, state: 'failed', fault: 'the key is of another mode' })
  await expect(paymentsReconcile(failing, input)).rejects.toThrow(new OpsFault('The reconciliation r1 failed: the key is of another mode.'))
  expect(await paymentsReconciliations(answering({ data: [{ ...run, state: 'done' }] }))).toEqual([{ ...listed, state: 'done' }])
})
