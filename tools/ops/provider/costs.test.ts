import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { OpsFault } from '../fault'
import type { Call, Json } from '../operator-api'
import { render } from '../print/show'
import { type CostsOptions, costsOrInvoice } from './costs-or-invoice'
import { eachPortion } from './portions'

const folder = mkdtempSync(join(tmpdir(), 'filmgate-invoice-'))
afterAll(() => rmSync(folder, { recursive: true }))

const sums = (provider: string, model: string, more: object) => ({
  ...{ provider, model, attempts: 2, open: 0, completed: 2, unknown: 0, credits: 0, unknown_credits: 0 },
  ...{ told_micro_usd: 0, listed_micro_usd: 0, lost_micro_usd: 0, ...more },
})
const fal = sums('fal', 'kling', { credits: 100, told_micro_usd: 300_000, listed_micro_usd: 100_000, lost_micro_usd: 40_000 })
const runware = sums('runware', 'kling', { told_micro_usd: 1_000_001, unknown: 1, unknown_credits: 7 })

/** A dispatcher that answers each portion the same, and has one attempt a page. */
function dispatcher(attempts: Json[] = []) {
  const asked: string[] = []
  const call: Call = async (_, __, path): Promise<Json> => {
    asked.push(path)
    const { pathname, searchParams } = new URL(path, 'http://dispatcher')
    const provider = searchParams.get('provider')
    if (pathname === '/costs') {
      const summed: Json = { credit_micro_usd: 10_000, data: [fal, runware].filter(one => provider === null || one.provider === provider) }
      return summed
    }
    const at = Number(searchParams.get('cursor') ?? 0)
    return { data: attempts.slice(at, at + 1), next_cursor: at + 1 < attempts.length ? String(at + 1) : null }
  }
  return { call, asked }
}

const options: CostsOptions = {
  ...{ from: '2026-11-01T00:00:00.000Z', to: '2026-11-11T00:00:00.000Z' },
  ...{ idColumn: 'provider_task_id', amountColumn: 'amount', toleranceUsd: 0 },
}

test('a time is asked for in weeks without a gap, and what they have is added up', async () => {
  expect(eachPortion('2026-11-01T00:00:00.000Z', '2026-11-11T00:00:00.000Z')).toEqual([
    { from: '2026-11-01T00:00:00.000Z', to: '2026-11-08T00:00:00.000Z' },
    { from: '2026-11-08T00:00:00.000Z', to: '2026-11-11T00:00:00.000Z' },
  ])
  const { call, asked } = dispatcher()
  const { shown } = await costsOrInvoice(call, { ...options, json: true })
  expect(asked.length).toBe(2)
  expect(shown).toMatchObject({
    credit_micro_usd: 10_000,
    data: [
      {
        provider: 'runware',
        revenue_micro_usd: 0,
        cost_micro_usd: 2_000_002,
        margin_micro_usd: -2_000_002,
        margin_percent: null,
        unknown: 2,
      },
      {
        provider: 'fal',
        revenue_micro_usd: 2_000_000,
        cost_micro_usd: 800_000,
        margin_micro_usd: 1_200_000,
        margin_percent: 60,
        lost_micro_usd: 80_000,
      },
    ],
    total: { provider: 'total', attempts: 8, unknown: 2, unknown_credits: 14, cost_micro_usd: 2_800_002, margin_percent: -40 },
  })
})

test('without a beginning the costs are those of the thirty days before the end', async () => {
  const { from: _, ...open } = options
  const { shown } = await costsOrInvoice(dispatcher().call, { ...open, json: true })
  expect(shown).toMatchObject({ from: '2026-10-12T00:00:00.000Z', to: options.to })
})

test('a person gets a table with its total, a spreadsheet lines of CSV in dollars', async () => {
  const week = { ...options, to: '2026-11-08T00:00:00.000Z', provider: 'fal' }
  const table = render((await costsOrInvoice(dispatcher().call, week)).shown)
  expect(table.split('\n').map(line => line.split(/ {2,}/))).toEqual([
    [
      'provider',
      'model',
      'attempts',
      'open',
      'completed',
      'unknown',
      'revenue_usd',
      'cost_usd',
      'listed_usd',
      'lost_usd',
      'margin_usd',
      'margin_percent',
    ],
    ['fal', 'kling', '2', '0', '2', '0', '1.00', '0.40', '0.10', '0.04', '0.60', '60'],
    ['total', '2', '0', '2', '0', '1.00', '0.40', '0.10', '0.04', '0.60', '60'],
  ])
  const { shown } = await costsOrInvoice(dispatcher().call, { ...week, csv: true })
  expect(shown).toBe(
    'provider,model,attempts,open,completed,unknown,credits,unknown_credits,revenue_usd,cost_usd,told_usd,listed_usd,lost_usd,margin_usd,margin_percent\r\n' +
      'fal,kling,2,0,2,0,100,0,1.00,0.40,0.30,0.10,0.04,0.60,60\r\n',
  )
})

const own = (providerTaskId: string, microUsd: number) => ({
  ...{ attempt_id: `at_${providerTaskId}`, task_id: 'vt', model: 'kling', provider_task_id: providerTaskId, state: 'completed' },
  ...{ provider_model: 'n', created_at: '2026-11-02T00:00:00.000Z', credits: null, micro_usd: microUsd, basis: 'told' },
})

test('an invoice is held against every page of the attempts, of three days around too', async () => {
  const invoice = join(folder, 'invoice.csv')
  writeFileSync(invoice, 'request,usd\na,0.18\nb,0.20\n')
  const { call, asked } = dispatcher([own('a', 180_000), own('b', 180_000)])
  const held = { ...options, to: '2026-11-03T00:00:00.000Z', provider: 'fal', invoice, idColumn: 'request', amountColumn: 'usd' }
  const { shown, differs } = await costsOrInvoice(call, held)
  expect(asked.map(path => Object.fromEntries(new URL(path, 'http://dispatcher').searchParams))).toMatchObject([
    { provider: 'fal', from: '2026-10-29T00:00:00.000Z' },
    { provider: 'fal', from: '2026-10-29T00:00:00.000Z', cursor: '1' },
    ...Array(asked.length - 2).fill({ provider: 'fal' }),
  ])
  expect(differs).toBe(true)
  expect(shown).toMatchObject({ lines: 2, invoice_usd: '0.38' })
  const csv = (await costsOrInvoice(call, { ...held, csv: true })).shown
  expect(String(csv).split('\r\n')[0]).toBe('difference,provider_task_id,attempt_id,task_id,invoice_usd,our_usd,basis')
})

test('what can’t be asked so is a fault in a sentence', async () => {
  const faultOf = async (more: Partial<CostsOptions>) =>
    costsOrInvoice(dispatcher().call, { ...options, ...more }).catch((error: unknown) =>
      error instanceof OpsFault ? error.message : error,
    )
  expect(await faultOf({ csv: true, json: true })).toBe('Either --csv or --json.')
  expect(await faultOf({ to: options.from })).toBe('--to must be after --from.')
  expect(await faultOf({ invoice: 'x' })).toBe('Say whose invoice it is: --provider NAME.')
  expect(await faultOf({ invoice: join(folder, 'absent'), provider: 'fal' })).toStartWith(
    'The invoice can’t be read: ENOENT'.replace('’', "'"),
  )
})
