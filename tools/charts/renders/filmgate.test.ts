import { expect, test } from 'bun:test'
import { renderChart } from './render-chart'

test('everything is denied that no policy names', async () => {
  const { one } = await renderChart('filmgate')
  expect(one('NetworkPolicy', 'filmgate-default-deny').spec as object).toEqual({ podSelector: {}, policyTypes: ['Ingress', 'Egress'] })
})

test('the topics come up before anything else, on three brokers', async () => {
  const { one } = await renderChart('filmgate')
  const { metadata, spec } = one('Job', 'filmgate-topics')
  expect(metadata.annotations['helm.sh/hook-weight']).toBe('-10')
  const [container] = (spec as { template: { spec: { containers: { args: string[]; env: unknown[] }[] } } }).template.spec.containers
  expect(container?.args[0]).toBe('/app/dist/topics.js')
  expect(container?.env).toContainEqual({ name: 'FILMGATE_TOPIC_REPLICAS', value: '3' })
})

test('every alert links to its part of the runbook', async () => {
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

test('alerts are not had without the scrapes that they read: all of them, or the chart says which is missing', async () => {
  const half = await renderChart('filmgate', { 'alerts.enabled': true, 'gateway.serviceMonitor.enabled': true })
  expect(half.failure).toMatch(/alerts\.enabled needs (catalog|dispatcher|ledger|media-probe)\.serviceMonitor\.enabled/)
  const { one } = await renderChart('filmgate', { 'alerts.enabled': true, 'global.serviceMonitor.enabled': true })
  for (const service of ['gateway', 'ledger', 'catalog', 'media-probe', 'dispatcher']) one('ServiceMonitor', `filmgate-${service}`)
})

test('the release is tested from a pod that may call the gateway, and that is gone once the test has passed', async () => {
  const { one } = await renderChart('filmgate')
  expect(one('Pod').metadata.annotations).toMatchObject({
    'helm.sh/hook': 'test',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  })
})
