import { expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { groupsIn } from '../../tools/charts/alert-rules'
import { groupedLabels, type NamedSeries, namedSeries, targetLabels } from '../../tools/charts/named-series'
import { reachableFiles } from '../../tools/verify/reachable-files'
import { openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { generateStubbornly, taskEnd } from '../support/client/stubborn-client'
import { audit } from '../support/operator/operator'
import { ops } from '../support/operator/ops'
import { type Sample, salesMetrics, scrape, scrapeAll } from '../support/servers/metrics'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { move } from '../support/stack'
import { until } from '../support/until'

const root = resolve(import.meta.dir, '../..')
const chart = join(root, 'charts/filmgate')
const testTimeoutMs = 240_000
const declared = /\bcounter\(\s*'(\w+)'/g
/** Only the gateway, the console and the dispatcher count requests. */
const countsNone = 'http_requests_total'
/** What the code of a service has and the stack's does not show: the catalog consumes nothing, and the console has jobs where credits are sold. */
const notShown: Record<string, string[]> = {
  catalog: ['bus_batches_retried_total', 'bus_messages_handled_total', 'bus_messages_set_aside_total', countsNone],
  console: salesMetrics,
  ...Object.fromEntries(['ledger', 'media-probe', 'webhooks', 'simulator'].map(service => [service, [countsNone]])),
}
/** Prometheus makes it. */
const scrapesOwn = 'up'

/** What reads metrics of services: alerts, and what is recorded for them. */
const readers = () =>
  groupsIn(readFileSync(join(chart, 'examples/production/rendered.yaml'), 'utf8')).flatMap(({ recordings, rules }) => [
    ...recordings.map(({ record, expr }) => ({ reader: record, expr })),
    ...rules.map(({ alert, expr }) => ({ reader: alert, expr })),
  ])
/** Those of kube-state-metrics, which a stack without Kubernetes lacks. */
const isKubernetes = (metric: string): boolean => metric.startsWith('kube_')
const isRecorded = (metric: string): boolean => metric.includes(':')

/** The counters in the code that a service is made of. */
const countersOf = (service: string): string[] =>
  reachableFiles(join(root, 'services', service, 'src/main.ts'))
    .flatMap(file => [...readFileSync(file, 'utf8').matchAll(declared)].map(([, name]) => `${name}_total`))
    .sort()

const seriesOf = ({ metric, labels }: Sample): string =>
  `${metric}{${Object.entries(labels)
    .map(([name, value]) => `${name}=${value}`)
    .join()}}`

const isCounter = ({ metric }: Sample): boolean => metric.endsWith('_total')

test(
  'a freshly started service shows every counter that its code has, and those that alert at 0',
  async () => {
    const alerting = new Set(readers().flatMap(({ expr }) => namedSeries(expr).map(({ metric }) => metric)))
    const clients = 'http_requests_total'
    for (const { service, url } of settings.metricsUrls) {
      await move(service, 'stop')
      await move(service, 'start')
      const samples = (await scrape(url)).filter(isCounter)
      const shown = new Set(samples.map(({ metric }) => metric))
      const missing = countersOf(service).filter(name => !shown.has(name))
      expect([service, missing.filter(name => !notShown[service]?.includes(name))]).toEqual([service, []])
      const risen = samples.filter(({ metric, value }) => alerting.has(metric) && metric !== clients && value > 0)
      expect([service, risen.map(seriesOf)]).toEqual([service, []])
    }
  },
  testTimeoutMs,
)

test(
  'no series of a counter is born with its first event: a generation adds none',
  async () => {
    const before = new Set((await scrapeAll()).filter(isCounter).map(seriesOf))
    const { api } = await openAccount({ credits: 1_000 })
    await taskEnd(api, await generateStubbornly(api, smallRequest()))
    const after = await until('the generation is counted', async () => {
      const samples = (await scrapeAll()).filter(isCounter)
      return (
        samples.some(({ metric, labels, value }) => metric === 'attempts_ended_total' && labels.result === 'completed' && value > 0) &&
        samples
      )
    })
    expect(after.map(seriesOf).filter(series => !before.has(series))).toEqual([])
  },
  testTimeoutMs,
)

/** A histogram has no series before its first value, and there is no refund without a failure. */
async function refundOne(): Promise<void> {
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'fails_after_accept' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  await taskEnd(api, body.id)
}

/** What is named and not exported: the metric, or a label of it that is chosen or grouped by. */
function notExported(named: NamedSeries[], grouped: string[], samples: Sample[]): string[] {
  return named.flatMap(({ metric, labels }) => {
    if (metric === scrapesOwn || isRecorded(metric) || salesMetrics.includes(metric)) return []
    const own = samples.filter(one => one.metric === metric)
    if (own.length === 0) return [metric]
    const wanted = metric === 'process_uptime_seconds' ? labels : [...labels, ...grouped]
    return wanted.filter(label => !targetLabels.has(label) && !own.some(one => label in one.labels)).map(label => `${metric}{${label}}`)
  })
}

test(
  'every metric and label that an alert names is exported by the running pipeline',
  async () => {
    await refundOne()
    await audit()
    // Its findings are shown once one has ended.
    await ops('audit', 'across')
    const missing = async () => {
      const samples = await scrapeAll()
      return readers().flatMap(({ reader, expr }) =>
        notExported(namedSeries(expr), groupedLabels(expr), samples).map(name => `${reader}: ${name}`),
      )
    }
    // The catalog reads the lag every ten seconds.
    await until('all are exported', async () => (await missing()).length === 0, 30_000).catch(() => {})
    expect(await missing()).toEqual([])
  },
  testTimeoutMs,
)

const panelsOf = (name: string): string[] => {
  const dashboard = JSON.parse(readFileSync(join(chart, `dashboards/${name}.json`), 'utf8')) as {
    panels: { targets: { expr: string }[] }[]
  }
  return dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr))
}

test(
  'every metric and label that a dashboard names is exported by the running pipeline, and read of its namespace alone',
  async () => {
    const samples = await scrapeAll()
    for (const expr of ['line', 'money', 'console'].flatMap(panelsOf)) {
      const named = namedSeries(expr)
      expect([expr, named.length > 0 && named.every(({ labels }) => labels.includes('namespace'))]).toEqual([expr, true])
      const grouped = groupedLabels(expr).filter(label => label !== 'le')
      const ours = named.filter(({ metric }) => !isKubernetes(metric))
      if (ours.length > 0) expect([expr, notExported(ours, grouped, samples)]).toEqual([expr, []])
    }
  },
  testTimeoutMs,
)
