import { YAML } from 'bun'
import { render } from './helm'

export type AlertRule = {
  alert: string
  expr: string
  for: string
  labels: { severity: string }
  annotations: { summary: string; runbook_url: string }
}
/** What Prometheus computes for alerts to read. */
export type Recording = { record: string; expr: string }
export type AlertGroup = { name: string; interval?: string; recordings: Recording[]; rules: AlertRule[] }
type RenderedGroup = { name: string; interval?: string; rules: (AlertRule | Recording)[] }

/** The groups of all PrometheusRules that the chart renders for a release. */
export async function alertGroups(chart: string, values: string[], release: string, namespace: string): Promise<AlertGroup[]> {
  const { ok, output } = await render(chart, values, release, namespace)
  if (!ok) throw new Error(output)
  return groupsIn(output)
}

/** The groups in rendered manifests. */
export function groupsIn(rendered: string): AlertGroup[] {
  const documents = rendered.split(/^---$/m).filter(text => /^kind: PrometheusRule$/m.test(text))
  if (documents.length === 0) throw new Error('no PrometheusRule was rendered')
  return documents
    .flatMap(document => (YAML.parse(document) as { spec: { groups: RenderedGroup[] } }).spec.groups)
    .map(({ rules, ...group }) => ({
      ...group,
      recordings: rules.filter(rule => 'record' in rule),
      rules: rules.filter(rule => 'alert' in rule),
    }))
}

/** A group as Prometheus reads it: what is recorded comes first, so that the alerts after it read it at once. */
export const toPrometheus = ({ recordings, rules, ...group }: AlertGroup) => ({ ...group, rules: [...recordings, ...rules] })
