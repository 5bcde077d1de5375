import { expect, test } from 'bun:test'
import { OpsFault } from '../fault'
import { checkInvoice, type OwnCost } from './check-invoice'
import { readInvoice } from './read-invoice'

const columns = { idColumn: 'provider_task_id', amountColumn: 'amount' }
const from = '2026-11-01T00:00:00.000Z'
const to = '2026-11-08T00:00:00.000Z'

let attempts = 0
const own = (providerTaskId: string | null, microUsd: number | null, more: Partial<OwnCost> = {}): OwnCost => ({
  ...{ attempt_id: `at_${++attempts}`, task_id: `vt_${attempts}`, model: 'm', provider_task_id: providerTaskId, state: 'completed' },
  ...{ created_at: '2026-11-02T00:00:00.000Z', micro_usd: microUsd, basis: microUsd === null ? 'unknown' : 'told' },
  ...more,
})
const check = (csv: string, costs: OwnCost[], toleranceMicroUsd = 0) =>
  checkInvoice({ lines: readInvoice(`provider_task_id,amount\n${csv}`, columns), attempts: costs, from, to, toleranceMicroUsd })
const named = ({ differences }: ReturnType<typeof check>) =>
  differences.map(one => [one.difference, one.provider_task_id, one.invoice_micro_usd, one.our_micro_usd])

test('an invoice that has what we know, and nothing else, differs in nothing', () => {
  const whole = check('a,0.18\nb,0.09024\n', [
    own('a', 180_000),
    own('b', 90_240),
    own('c', 0),
    own(null, 0, { basis: 'nothing', state: 'refused' }),
  ])
  expect(whole).toEqual({
    ...{ lines: 2, invoice_micro_usd: 270_240, our_micro_usd: 270_240, unknown_not_on_invoice: 0, without_id: 0, differences: [] },
  })
})

test('what is missing on either side is named', () => {
  expect(named(check('a,0.18', [own('b', 200_000)]))).toEqual([
    ['not_ours', 'a', 180_000, null],
    ['not_on_invoice', 'b', null, 200_000],
  ])
})

test('what is doubled on either side is named; lines that add up to the cost are not', () => {
  expect(named(check('a,0.18\na,0.18', [own('a', 180_000)]))).toEqual([['twice_on_invoice', 'a', 360_000, 180_000]])
  expect(named(check('a,0.10\na,0.08', [own('a', 180_000)]))).toEqual([])
  expect(named(check('a,0.18\na,-0.18', [own('a', 0)]))).toEqual([])
  expect(named(check('a,0.18', [own('a', 180_000), own('a', null)]))).toEqual([
    ['twice_here', 'a', 180_000, 180_000],
    ['twice_here', 'a', 180_000, null],
  ])
})

test('amounts that are unlike are named, beyond the tolerance', () => {
  expect(named(check('a,0.30', [own('a', 300_800)]))).toEqual([['unlike', 'a', 300_000, 300_800]])
  expect(named(check('a,0.30', [own('a', 300_800)], 800))).toEqual([])
  expect(named(check('a,0.30', [own('a', 300_800)], 799))).toHaveLength(1)
})

test('what we don’t know the cost of is named where it was billed, and counted where it wasn’t', () => {
  const some = [own('a', null), own('b', null, { state: 'failed' }), own(null, null, { state: 'unknown' })]
  const result = check('a,0.30', some)
  expect(named(result)).toEqual([['unknown_here', 'a', 300_000, null]])
  expect([result.unknown_not_on_invoice, result.without_id]).toEqual([1, 1])
})

test('an attempt of the days around may be on the invoice, and need not be', () => {
  const around = [own('a', 180_000, { created_at: '2026-10-31T23:59:00.000Z' }), own('b', 1, { created_at: to })]
  expect(named(check('a,0.18', around))).toEqual([])
  expect(named(check('', around))).toEqual([])
})

test('a line that can’t be read is a fault by its number, and no line is left out', () => {
  const faultOf = (text: string, own = columns) => {
    try {
      return readInvoice(text, own)
    } catch (error) {
      return error instanceof OpsFault ? error.message : error
    }
  }
  expect(faultOf('id,usd\na,1', { idColumn: 'id', amountColumn: 'usd' })).toEqual([{ line: 2, providerTaskId: 'a', microUsd: 1_000_000 }])
  expect(faultOf('provider_task_id,amount\na,1\nb,one')).toBe('The invoice has no amount of dollars in line 3: one.')
  expect(faultOf('provider_task_id,amount\n,1')).toBe('The invoice has no provider_task_id in line 2.')
  expect(faultOf('id,amount\na,1')).toBe('The invoice has no column provider_task_id; its columns are id, amount.')
  expect(faultOf('')).toBe('The invoice has no column provider_task_id; its columns are (none).')
  expect(faultOf('"')).toBe('The invoice is no CSV: a quote is not closed.')
})
