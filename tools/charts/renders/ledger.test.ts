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
