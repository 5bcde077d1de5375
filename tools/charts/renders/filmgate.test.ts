import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { chartsDir } from '../write-schemas'
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

test('metrics of what clients reach have a port of their own, which only monitoring may open', async () => {
  const { one } = await renderChart('filmgate', {
    'global.serviceMonitor.enabled': true,
    'console.enabled': true,
    'console.apiUrl': 'https://api.example/api/v1',
    'console.ingress': { enabled: true, controller: 'traefik' },
    'global.console': { url: 'https://console.example', existingSecret: 'console-token' },
  })
  type Rule = { from: { namespaceSelector?: { matchLabels: Record<string, string> } }[]; ports: { port: number }[] }
  const opened = (service: string) => {
    const { ingress } = one('NetworkPolicy', `filmgate-${service}`).spec as { ingress: Rule[] }
    const fromMonitoring = ({ from }: Rule) => JSON.stringify(from).includes('"monitoring"')
    const portsOf = (rules: Rule[]) => [...new Set(rules.flatMap(({ ports }) => ports.map(({ port }) => port)))]
    const { endpoints } = one('ServiceMonitor', `filmgate-${service}`).spec as { endpoints: { port: string }[] }
    const others = portsOf(ingress.filter(rule => !fromMonitoring(rule)))
    return { scraped: endpoints[0]?.port, monitoring: portsOf(ingress.filter(fromMonitoring)), others }
  }
  expect(opened('gateway')).toEqual({ scraped: 'metrics', monitoring: [4107], others: [4100] })
  expect(opened('console')).toEqual({ scraped: 'metrics', monitoring: [4108], others: [4106] })
  expect(opened('ledger')).toMatchObject({ scraped: 'http', monitoring: [4101] })
  expect(one('ConfigMap', 'filmgate-gateway').data).toMatchObject({ PORT: '4100', FILMGATE_METRICS_PORT: '4107' })
})

test('the release test runs in a pod that may call the gateway and is deleted after success', async () => {
  const { one } = await renderChart('filmgate')
  expect(one('Pod').metadata.annotations).toMatchObject({
    'helm.sh/hook': 'test',
    'helm.sh/hook-delete-policy': 'before-hook-creation,hook-succeeded',
  })
})

test('connections to a server of Postgres are added up over its services, and more than it has are refused', async () => {
  const server = (maxConnections: number, services: string[], more: object = {}) => ({ postgres: [{ maxConnections, services, ...more }] })
  const keda = { 'dispatcher.keda.enabled': true, 'dispatcher.keda.maxReplicas': 12, 'dispatcher.rollout.maxSurge': '25%' }
  const refused = (await renderChart('filmgate', { ...server(400, ['gateway', 'ledger', 'dispatcher']), ...keda })).failure
  // (10 + 1) × 16 + 2, (2 + 1) × 8 + 2, (12 + 3) × 8 + 2 + 1, and 10 reserved: 337. With bigger pools 2 × 11 × 16 more.
  expect(refused).toBeUndefined()
  const bigger = { ...server(400, ['gateway', 'ledger', 'dispatcher']), ...keda, 'gateway.config.FILMGATE_POOL_MAX': 32 }
  expect((await renderChart('filmgate', bigger)).failure).toContain(
    'postgres: gateway 354, ledger 26, dispatcher 123 and 10 reserved are 513 connections, more than maxConnections 400',
  )
  const pooled = { ...bigger, 'gateway.database.directKey': 'direct-url' }
  expect((await renderChart('filmgate', pooled)).failure).toBeUndefined()
  expect((await renderChart('filmgate', { ...pooled, ...server(160, ['gateway', 'ledger', 'dispatcher']) })).failure).toContain(
    'gateway 2, ',
  )
  const spare = server(200, ['ledger'], { reserved: 175 })
  expect((await renderChart('filmgate', spare)).failure).toContain('ledger 26 and 175 reserved are 201')
}, 60_000)

test('the chart knows the pools that the services have', async () => {
  const template = await Bun.file(join(chartsDir, 'filmgate/templates/_connections.tpl')).text()
  const pools = [...template.matchAll(/"([a-z-]+)" (\d+)/g)]
  expect(pools).toHaveLength(6)
  for (const [, service = '', size] of pools) {
    const source = join(chartsDir, '../services', service, 'src')
    const text = (await Bun.file(join(source, 'config.ts')).text()) + (await Bun.file(join(source, 'main.ts')).text())
    const fallback = /FILMGATE_POOL_MAX', integer\(\{.*fallback: (\d+) \}|^const poolMax = (\d+)$/m.exec(text)
    expect([service, fallback?.[1] ?? fallback?.[2]]).toEqual([service, size])
  }
})
