import { afterAll, beforeAll, expect, test } from 'bun:test'
import { insertSalesAudit } from '../../billing/audit/audit-repository'
import { type OperateSystem, startOperateSystem } from '../testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())

const shown = async () => (await system.ask('/operate/audit', 'read')).text()

test('operators see what the last audit of sales found, of which purchase, and how much more there is', async () => {
  expect(await shown()).toContain('No sales audit has run yet.')
  await insertSalesAudit(system.sql, { purchases: 3, total: 0, findings: [] })
  expect(await shown()).toContain('No findings.')
  const finding = { check: 'credits_differ', purchaseId: 'a-purchase', detail: 'its money leaves <5> credits' } as const
  await insertSalesAudit(system.sql, { purchases: 4, total: 2, findings: [finding] })
  const page = await shown()
  for (const words of ['4 purchases', 'credits_differ', 'a-purchase', 'its money leaves &lt;5&gt; credits', '2 in total'])
    expect(page).toContain(words)
})
