import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toPrometheus } from '@filmgate/tools/charts/alert-rules'
import { namespace } from '@filmgate/tools/charts/rule-tests'
import { fetchPrometheus, groupsOfRelease } from '@filmgate/tools/verify/alerting/alerts'
import { YAML } from 'bun'
import { scrape } from '../../support/servers/metrics'
import type { OwnService } from '../../support/servers/own-services'

const intervalMs = 15_000

/** Series of the dispatchers as Prometheus would scrape them, from the first minute. */
export type Recording = { stop(): Map<string, (number | undefined)[]> }

export function record(dispatchers: OwnService[], metrics: string[]): Recording {
  const series = new Map<string, (number | undefined)[]>()
  let taken = 0
  const take = async () => {
    const at = taken++
    await Promise.all(
      dispatchers.map(async ({ url }, instance) => {
        for (const { metric, labels, value } of await scrape(`${url}/metrics`).catch(() => [])) {
          if (!metrics.includes(metric)) continue
          const all = Object.entries({ ...labels, job: 'film-dispatcher', instance: String(instance), namespace })
          const name = `${metric}{${all.map(([label, text]) => `${label}=${JSON.stringify(text)}`).join(', ')}}`
          const values = series.get(name) ?? []
          values[at] = value
          series.set(name, values)
        }
      }),
    )
  }
  void take()
  const timer = setInterval(() => void take(), intervalMs)
  return {
    stop() {
      clearInterval(timer)
      return series
    },
  }
}

/** Alerts of the chart that fire on these series, for a provider, at that minute; promtool evaluates them. */
export async function firing(
  series: Map<string, (number | undefined)[]>,
  alert: string,
  provider: string,
  minute: number,
): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-recorded-'))
  try {
    const groups = (await groupsOfRelease()).filter(({ rules }) => rules.some(rule => rule.alert === alert))
    await Bun.write(join(folder, 'rules.yaml'), YAML.stringify({ groups: groups.map(toPrometheus) }))
    const input_series = [...series].map(([name, values]) => ({
      series: name,
      values: Array.from(values, value => (value === undefined ? '_' : String(value))).join(' '),
    }))
    const expr = `count(ALERTS{alertname="${alert}", alertstate="firing", provider="${provider}"})`
    const promql_expr_test = [{ expr, eval_time: `${minute}m`, exp_samples: [{ labels: '{}', value: 1 }] }]
    const tests = [{ interval: `${intervalMs / 1_000}s`, input_series, promql_expr_test }]
    await Bun.write(join(folder, 'test.yaml'), YAML.stringify({ rule_files: ['rules.yaml'], evaluation_interval: '15s', tests }))
    const child = Bun.spawn([await fetchPrometheus('promtool'), 'test', 'rules', 'test.yaml'], {
      cwd: folder,
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [out, words, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
    return status === 0 ? '' : `${out}${words}`.trim()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
