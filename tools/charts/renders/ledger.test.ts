import { expect, test } from 'bun:test'
import { renderChart } from './render-chart'

test('the books are audited every hour, one audit at a time', async () => {
  const { one } = await renderChart('ledger')
  expect(one('CronJob').spec).toMatchObject({
    schedule: '7 * * * *',
    concurrencyPolicy: 'Forbid',
    jobTemplate: { spec: { template: { spec: { containers: [{ args: ['/app/dist/audit.js'] }] } } } },
  })
})

test('kubectl scale persists if replicas is null', async () => {
  const { one } = await renderChart('ledger', { replicas: null })
  expect(one('Deployment').spec).not.toHaveProperty('replicas')
})

test('a missing value is reported by name', async () => {
  expect((await renderChart('ledger', { 'kafka.brokers': '' })).failure).toContain('set kafka.brokers')
})

test('behind a pooler pods and Jobs get both addresses and may reach both', async () => {
  const { one } = await renderChart('ledger', { 'database.directKey': 'direct-url' })
  const direct = { name: 'DATABASE_DIRECT_URL', valueFrom: { secretKeyRef: { name: 'filmgate-ledger-database', key: 'direct-url' } } }
  for (const kind of ['Deployment', 'Job']) expect(JSON.stringify(one(kind).spec)).toContain(JSON.stringify(direct))
  for (const name of ['filmgate-ledger', 'filmgate-ledger-jobs']) {
    const policy = JSON.stringify(one('NetworkPolicy', name).spec)
    for (const port of [5432, 6432]) expect(policy).toContain(`"port":${port}}`)
  }
  expect(JSON.stringify((await renderChart('ledger')).one('NetworkPolicy', 'filmgate-ledger').spec)).not.toContain('6432')
})
