import { YAML } from 'bun'
import { render } from './helm'

export type AlertRule = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
export type AlertGroup = { name: string; rules: AlertRule[] }

/** The groups of the chart's PrometheusRule, as one release in its namespace gets them. */
export async function alertGroups(chart: string, values: string[], release: string, namespace: string): Promise<AlertGroup[]> {
  const { ok, output } = await render(chart, values, release, namespace)
  if (!ok) throw new Error(output)
  return groupsIn(output)
}

/** The same out of what was rendered. */
export function groupsIn(rendered: string): AlertGroup[] {
  const document = rendered.split(/^---$/m).find(text => /^kind: PrometheusRule$/m.test(text))
  if (!document) throw new Error('no PrometheusRule was rendered')
  return (YAML.parse(document) as { spec: { groups: AlertGroup[] } }).spec.groups
}
