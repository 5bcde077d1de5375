import { YAML } from 'bun'
import type { AlertGroup, AlertRule } from './alert-rules'

/** A case in charts/filmgate/tests/alerts; the README there explains the format. */
export type RuleCase = {
  alert: string
  case?: string
  series: Record<string, string>
  uptime?: number
  at: string
  labels?: Record<string, string>
  says?: string
}

/** A pipeline on which no alert fires, when they are evaluated, and how far its samples are apart. */
export type SilentLine = { name: string; interval: string; at: string[]; series: Record<string, string> }

export const namespace = 'video'
const intervalSeconds = 15
const interval = `${intervalSeconds}s`
const samples = 480
const dayAge = 86_400

type Series = { series: string; values: string }
type Alerts = { exp_labels: Record<string, string>; exp_annotations: Record<string, string> }[]

export type RuleFiles = { alert: string; group: AlertGroup; cases: RuleCase[] }

/** An alert by itself with its cases: its rule alone is evaluated for them, and what is recorded for it. */
export function byAlert(group: AlertGroup, cases: RuleCase[]): RuleFiles[] {
  const unknown = cases.find(one => !group.rules.some(rule => rule.alert === one.alert))
  if (unknown) throw new Error(`${group.name} has no ${unknown.alert}, of which there is a case`)
  return group.rules.flatMap(rule => {
    const own = cases.filter(one => one.alert === rule.alert)
    const recordings = group.recordings.filter(({ record }) => rule.expr.includes(record))
    return own.length > 0 ? [{ alert: rule.alert, group: { ...group, recordings, rules: [rule] }, cases: own }] : []
  })
}

/** The cases of an alert in the format of `promtool test rules`. */
export function ruleTests(rulesFile: string, { group, cases }: RuleFiles): string {
  const [rule] = group.rules
  const tests = cases.map(one => {
    const name = `${one.alert}${one.case ? `: ${one.case}` : ''}`
    return ruleTest(name, seriesOf(namespace, 'a', one), [
      { alertname: one.alert, eval_time: one.at, exp_alerts: rule ? expected(one, rule) : [] },
    ])
  })
  return testFile(rulesFile, group.interval ?? interval, [...tests, ...otherNamespaceTest(cases)])
}

/** No alert of a group fires on this line. */
export function silentTests(rulesFile: string, group: AlertGroup, line: SilentLine): string {
  const neverFires = group.rules.flatMap(({ alert }) => line.at.map(time => ({ alertname: alert, eval_time: time, exp_alerts: [] })))
  const test = ruleTest(line.name, seriesOf(namespace, 'a', line), neverFires)
  return testFile(rulesFile, group.interval ?? line.interval, [{ ...test, interval: line.interval }])
}

const testFile = (rulesFile: string, evaluation_interval: string, tests: unknown[]): string =>
  YAML.stringify({ rule_files: [rulesFile], evaluation_interval, tests })

/** All firing cases in another namespace, where no alert may fire. Absence alerts can't be tested so. */
function otherNamespaceTest(cases: RuleCase[]) {
  const firing = cases.filter(({ alert, says }) => says !== undefined && alert !== 'FilmgateServiceAbsent')
  if (firing.length === 0) return []
  const series = firing.flatMap((one, index) => seriesOf('other', `case-${index}-`, one))
  const neverFires = firing.map(({ alert, at }) => ({ alertname: alert, eval_time: at, exp_alerts: [] }))
  return [ruleTest('in another namespace', series, neverFires)]
}

type Check = { alertname: string; eval_time: string; exp_alerts: Alerts }

const ruleTest = (name: string, input_series: Series[], alert_rule_test: Check[]) => ({ name, interval, input_series, alert_rule_test })

/** The series of a case plus the uptime that every target exposes. */
function seriesOf(inNamespace: string, instance: string, { series, uptime = dayAge }: Pick<RuleCase, 'series' | 'uptime'>): Series[] {
  const own = Object.entries(series).map(([name, values]) => ({ name: withInstance(name, instance), values }))
  const targets = new Set(
    own.flatMap(({ name }) => /job="[^"]*"/.exec(name)?.[0].concat(', ', /instance="[^"]*"/.exec(name)?.[0] ?? '') ?? []),
  )
  const aged = [...targets].map(target => ({
    name: `process_uptime_seconds{${target}}`,
    values: `${uptime}+${intervalSeconds}x${samples}`,
  }))
  const missing = aged.filter(({ name }) => !own.some(one => one.name.startsWith('process_uptime_seconds') && sameTarget(one.name, name)))
  return [...own, ...missing].map(({ name, values }) => ({ series: name.replace('{', `{namespace="${inNamespace}", `), values }))
}

const withInstance = (name: string, instance: string): string =>
  name.includes('instance="')
    ? name.replace('instance="', `instance="${instance === 'a' ? '' : instance}`)
    : name.replace('}', `, instance="${instance}"}`)

const sameTarget = (one: string, other: string): boolean => /job="[^"]*"/.exec(one)?.[0] === /job="[^"]*"/.exec(other)?.[0]

const expected = ({ says, labels }: RuleCase, rule: AlertRule): Alerts =>
  says === undefined
    ? []
    : [
        {
          exp_labels: { ...labels, severity: rule.labels.severity },
          exp_annotations: { summary: says, runbook_url: rule.annotations.runbook_url },
        },
      ]
