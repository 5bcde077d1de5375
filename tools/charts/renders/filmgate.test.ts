import { expect, test } from 'bun:test'
import { renderChart } from './render-chart'

test('traffic without a policy is denied', async () => {
  const { one } = await renderChart('filmgate')
  expect(one('NetworkPolicy', 'filmgate-default-deny').spec as object).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
})

test('the topics are created first, on three brokers', async () => {
  const { one } = await renderChart('filmgate')
  const { metadata, spec } = one('Job', 'filmgate-topics')
  expect(metadata.annotations['helm.sh/hook-weight']).toBe('-10')
  const [container] = (spec as { template: { spec: { containers: { args: string[]; env: unknown[] }[] } } }).template.spec.containers
  expect(container?.args[0]).toBe('/app/dist/topics.js')
  expect(container?.env).toContainEqual({ name: 'FILMGATE_TOPIC_REPLICAS', value: '3' })
})

test('every alert links to its section of the runbook', async () => {
  const { one } = await renderChart('filmgate', {
    'alerts.enabled': true,
    'global.serviceMonitor.enabled': true,
    'alerts.runbookUrl': 'https://runbook.example',
  })
  type Groups = { groups: { rules: { alert: string; annotations: { runbook_url: string } }[] }[] }
  const rules = (one('PrometheusRule').spec as Groups).groups.flatMap(group => group.rules).filter(({ alert }) => alert)
  expect(rules.length).toBeGreaterThan(5)
  expect(rules.map(({ annotations }) => annotations.runbook_url)).toEqual(
    rules.map(({ alert }) => `https://runbook.example#${alert.toLowerCase()}`),
  )
})

test('alerts need all service monitors; the chart names the missing ones', async () => {
  const half = await renderChart('filmgate', { 'alerts.enabled': true, 'gateway.serviceMonitor.enabled': true })
  expect(half.failure).toMatch(/alerts\.enabled needs (catalog|dispatcher|ledger|media-probe)\.serviceMonitor\.enabled/)
  const { one } = await renderChart('filmgate', { 'alerts.enabled': true, 'global.serviceMonitor.enabled': true })
  for (const service of ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher']) one('ServiceMonitor', `filmgate-${service}`)
})

test('the release test runs in a pod that may call the gateway and is deleted after success', async () => {
  const { one } = await renderChart('filmgate')
  expect(one('Pod').metadata.annotations).toMatchObject({
    'helm.sh/hook': 'test',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  })
})
