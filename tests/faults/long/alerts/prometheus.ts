import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { alertGroups, toPrometheus } from '@filmgate/tools/charts/alert-rules'
import { openInstance, root } from '@filmgate/tools/stack/instance'
import { fetchPrometheus } from '@filmgate/tools/verify/alerting/alerts'
import { freePort, startProgram } from '../../../support/servers/program'
import { instance, settings } from '../../../support/settings'
import { until } from '../../../support/until'
import { shortenRules } from './shorten-rules'

/** As the production's values are installed by the README: the release `filmgate` in its namespace. */
const release = 'filmgate'
const values = ['charts/filmgate/examples/production/values.yaml', 'tests/faults/long/alerts/values.yaml']
/** Often enough for the shortest window, and long enough for a busy machine to answer. */
const scrapeEvery = '4s'

export type Alert = { name: string; labels: Record<string, string>; summary: string }

export type Prometheus = {
  /** What fires now. */
  firing(): Promise<Alert[]>
  /** Takes a service's only pod out of the discovered targets, as Kubernetes does when it is scaled to 0; undefined puts all back. */
  discoverWithout(service?: string): void
  stop(): Promise<void>
}

/** Prometheus with the chart's rules, in shortened time, which scrapes the stack's services under the labels of the chart's ServiceMonitors. */
export async function startPrometheus(): Promise<Prometheus> {
  const folder = join(openInstance(instance, settings.portBase).dir, 'prometheus')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const groups = await alertGroups(
    join(root, 'charts/filmgate'),
    values.map(file => join(root, file)),
    release,
    release,
  )
  const write = (file: string, content: unknown) => writeFileSync(join(folder, file), JSON.stringify(content))
  const discoverWithout = (service?: string) =>
    write('targets.json', settings.metricsUrls.filter(one => one.service !== 'simulator' && one.service !== service).map(targetOf))
  write('rules.yaml', { groups: shortenRules(groups).map(toPrometheus) })
  write('prometheus.yaml', {
    global: { scrape_interval: scrapeEvery, scrape_timeout: scrapeEvery, evaluation_interval: '2s' },
    rule_files: ['rules.yaml'],
    scrape_configs: [{ job_name: 'pods', file_sd_configs: [{ files: ['targets.json'], refresh_interval: '1s' }] }],
  })
  discoverWithout()
  const url = `http://127.0.0.1:${freePort()}`
  const { stop } = await startProgram({
    name: 'Prometheus',
    command: [
      await fetchPrometheus('prometheus'),
      '--config.file=prometheus.yaml',
      '--storage.tsdb.path=data',
      `--web.listen-address=${new URL(url).host}`,
    ],
    folder,
    logFile: join(folder, 'prometheus.log'),
    healthUrl: `${url}/-/ready`,
  })
  // A rise is seen only from a sample before it.
  await until('some samples of each service', () => hasSamples(url))
  return { firing: () => firingAt(url), discoverWithout, stop }
}

type Target = (typeof settings.metricsUrls)[number]

const targetOf = ({ service, url }: Target) => ({
  targets: [new URL(url).host],
  labels: { namespace: release, job: `${release}-${service}`, service: `${release}-${service}`, pod: `${release}-${service}-0` },
})

const ask = async <T>(url: string, path: string): Promise<T> =>
  ((await (await fetch(`${url}/api/v1/${path}`, { keepalive: false })).json()) as { data: T }).data

async function hasSamples(url: string): Promise<boolean> {
  const query = 'min(count_over_time(up[2m])) > 4 and min(up) == 1'
  const { result } = await ask<{ result: unknown[] }>(url, `query?query=${encodeURIComponent(query)}`)
  return result.length > 0
}

type Shown = { state: string; labels: Record<string, string>; annotations: { summary: string } }

async function firingAt(url: string): Promise<Alert[]> {
  const { alerts } = await ask<{ alerts: Shown[] }>(url, 'alerts')
  return alerts
    .filter(({ state }) => state === 'firing')
    .map(({ labels, annotations }) => ({ name: String(labels.alertname), labels, summary: annotations.summary }))
}
