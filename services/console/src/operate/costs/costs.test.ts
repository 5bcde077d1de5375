import { expect, test } from 'bun:test'
import type { CostSums } from '@filmgate/proto/operator/provider'
import { operateSystemForTests } from '../testing/operate-system'

const system = operateSystemForTests()

const sums: CostSums = {
  ...{ provider: 'fal', model: 'alpha-h3', attempts: 12, open: 1, completed: 10, unknown: 1, credits: 400, unknown_credits: 40 },
  ...{ told_micro_usd: 2_000_000, listed_micro_usd: 500_000, lost_micro_usd: 250_000 },
}
const losing: CostSums = { ...sums, provider: 'vidu', credits: 0, told_micro_usd: 1_000_000, listed_micro_usd: 0 }

/** The cells of each row, without their columns' names. */
async function rowsOf(path: string, ...data: CostSums[]): Promise<string[][]> {
  system.services.answers.set('dispatcher GET /costs', { credit_micro_usd: 10_000, data })
  const text = await (await system.ask(path, 'read')).text()
  const [, ...rows] = text.match(/<tr role="row">[\s\S]*?<\/tr>/g) ?? []
  const cellsOf = (row: string) => [...row.matchAll(/<(th|td)[^>]*>([\s\S]*?)<\/\1>/g)].map(([, , cell = '']) => cell)
  return rows.map(row => cellsOf(row).map(cell => cell.replace(/<span class="label".*?<\/span>|<[^>]+>/g, '').trim()))
}

test('revenue, cost and margin are of attempts whose cost is known, in total and by provider and model, least margin first', async () => {
  expect(await rowsOf('/operate/costs', sums, losing)).toEqual([
    ['total', '', '24', '2', '20', '$4.00', '$3.50', '$0.50', '12.5 %', '$0.50', '2'],
    ['vidu', 'alpha-h3', '12', '1', '10', '$0.00', '$1.00', '-$1.00', '–', '$0.25', '1'],
    ['fal', 'alpha-h3', '12', '1', '10', '$4.00', '$2.50', '$1.50', '37.5 %', '$0.25', '1'],
  ])
})

test('an account and a period are what the dispatcher is asked for, and stay in the form', async () => {
  await rowsOf('/operate/costs?account=acc_1&from=2026-11-03T00:00&to=2026-11-04T00:00')
  expect(system.services.calls.at(-1)?.query).toBe('from=2026-11-03T00%3A00%3A00.000Z&to=2026-11-04T00%3A00%3A00.000Z&account_id=acc_1')
  const text = await (await system.ask('/operate/costs?account=%3Cacc', 'read')).text()
  expect(text).toContain('<input type="hidden" name="account" value="&lt;acc">')
  expect(text).toContain('href="/operate/costs?account=%3Cacc&amp;hours=168"')
})

test('a dispatcher that does not respond is said to', async () => {
  system.services.answers.set('dispatcher GET /costs', 'silent')
  expect(await (await system.ask('/operate/costs', 'read')).text()).toContain('The dispatcher does not respond.')
})
