import { afterAll, beforeAll, expect, test } from 'bun:test'
import { endCrossAudit, failCrossAudit, insertCrossAudit } from '../cross-audit/cross-audit-repository'
import { type OperateSystem, startOperateSystem } from '../testing/operate-system'

let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
})
afterAll(() => system?.stop())

const shown = async () => (await system.ask('/operate/audit', 'read')).text()

test('operators see the latest cross-audits, what differs, what to do next, and how much more there is', async () => {
  const { sql } = system
  const [since, until] = [new Date('2026-11-20T10:00:00Z'), new Date('2026-11-21T09:50:00Z')]
  expect(await shown()).toContain('No cross-audit has run yet.')
  await insertCrossAudit(sql, { id: 'one', requestedBy: null, since, until, createdAt: until })
  const finding = {
    comparison: 'tasks',
    check: 'task_missing',
    subject: 'vt_1',
    detail: 'the ledger has <it>',
    act: 'ops task replay vt_1',
  }
  const compared = { tasks: { rows: 9_000, differences: 101 } }
  await sql.begin(async sql => endCrossAudit(sql, 'one', { compared, findings: [{ ...finding, foundAt: until.toISOString() }] }))
  await insertCrossAudit(sql, { id: 'two', requestedBy: 'ada', since, until, createdAt: new Date() })
  await sql.begin(async sql => failCrossAudit(sql, 'two', 'The ledger does not respond.'))
  const page = await shown()
  for (const words of [
    '9,000',
    'hourly run',
    'task_missing',
    'href="/operate/tasks/vt_1"',
    'the ledger has &lt;it&gt;',
    'ops task replay vt_1',
  ])
    expect(page).toContain(words)
  for (const words of ['101 in total', 'ada', 'The ledger does not respond.']) expect(page).toContain(words)
})
