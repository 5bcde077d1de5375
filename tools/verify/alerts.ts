import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { YAML } from 'bun'
import { type AlertRule, alertGroups } from '../charts/alert-rules'
import { namedSeries } from '../charts/named-series'
import { namespace, type RuleCase, ruleTests } from '../charts/rule-tests'
import { chartsDir } from '../charts/write-schemas'
import { StackFault } from '../stack/fault'
import { cached } from '../stack/fetch/cached'
import { unpackDebian } from '../stack/fetch/package-client'
import { type Outcome, passIfNone, runCommand, type Step } from './step'

const umbrella = join(chartsDir, 'filmgate')
const values = join(umbrella, 'examples/production/values.yaml')
const testsDir = join(umbrella, 'tests/alerts')
const runbook = 'docs/operations.md'
const reads = /^(charts|tools\/(charts|verify))\/|^docs\/operations\.md$/

export const alertSteps: Step[] = [
  {
    name: 'alert coverage',
    reads,
    fix: 'an alert needs a unique name, cases in charts/filmgate/tests/alerts and one section in the runbook',
    run: checkCoverage,
  },
  {
    name: 'alert rules',
    reads,
    fix: 'correct charts/filmgate/alerts or the case, whichever is wrong',
    run: runRuleTests,
  },
]

/** The groups of alerts that an installation renders. */
export const groupsOfRelease = () => alertGroups(umbrella, [values], 'film', namespace)
const readYaml = async <T>(file: string): Promise<T> => YAML.parse(await Bun.file(join(testsDir, file)).text()) as T
const groupFile = (group: string) => `${group.replace(/^filmgate-/, '')}.yaml`
const readHealthy = () => readYaml<Record<string, string>>('healthy.yaml')

async function readCases(): Promise<RuleCase[]> {
  const files = readdirSync(testsDir).filter(file => file.endsWith('.yaml') && file !== 'healthy.yaml')
  return (await Promise.all(files.map(file => readYaml<RuleCase[]>(file)))).flat()
}

async function checkCoverage(): Promise<Outcome> {
  const rules = (await groupsOfRelease()).flatMap(group => group.rules)
  const sections = [...(await Bun.file(runbook).text()).matchAll(/^### (Filmgate\w+)$/gm)].map(([, name = '']) => name)
  return passIfNone(coverageFaults(rules, await readCases(), await readHealthy(), sections))
}

/** Reports alerts without a unique name, a firing case, a healthy series, a namespace or a runbook section. */
export function coverageFaults(rules: AlertRule[], cases: RuleCase[], healthy: Record<string, string>, sections: string[]): string[] {
  const fires = new Set(cases.filter(one => one.says !== undefined).map(one => one.alert))
  const healthyMetrics = new Set(Object.keys(healthy).map(name => name.split('{')[0]))
  const names = new Set(rules.map(({ alert }) => alert))
  const missing = rules.flatMap(({ alert, expr }) => {
    const series = namedSeries(expr)
    return [
      ...(fires.has(alert) ? [] : [`${alert} has no case in which it fires`]),
      ...(sections.includes(alert) ? [] : [`${alert} has no section in ${runbook}`]),
      ...(series.length > 0 ? [] : [`${alert} names no series with a selector`]),
      ...series
        .filter(one => !healthyMetrics.has(one.metric))
        .map(one => `${alert} reads ${one.metric}, which the healthy line does not have`),
      ...series.filter(one => !one.labels.includes('namespace')).map(one => `${alert} reads ${one.metric} of every namespace`),
    ]
  })
  const stray = sections.filter(section => !names.has(section)).map(section => `${runbook} has a section for ${section}, which is no alert`)
  const duplicates = [
    ...repeated(rules.map(({ alert }) => alert)).map(alert => `${alert} is the name of more than one alert`),
    ...repeated(sections).map(section => `${runbook} has more than one section for ${section}`),
  ]
  return [...new Set([...missing, ...stray, ...duplicates])]
}

const repeated = (names: string[]): string[] => [...new Set(names.filter((name, index) => names.indexOf(name) < index))]

async function runRuleTests(): Promise<Outcome> {
  const promtool = await fetchPromtool().catch((error: unknown) => {
    if (error instanceof StackFault) return error
    throw error
  })
  if (promtool instanceof StackFault) return { ok: true, output: '', skipReason: `promtool is unavailable: ${promtool.message}` }
  const groups = await groupsOfRelease()
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-alerts-'))
  try {
    const healthy = await readHealthy()
    const files = groups.map(({ name }) => groupFile(name))
    for (const [index, group] of groups.entries()) {
      const file = files[index] ?? ''
      await Bun.write(join(dir, file), YAML.stringify({ groups: [group] }))
      await Bun.write(join(dir, `test-${file}`), ruleTests(file, group.rules, await readYaml<RuleCase[]>(file), healthy))
    }
    const checked = await runCommand([promtool, 'check', 'rules', ...files], { cwd: dir })
    return checked.ok ? await runCommand([promtool, 'test', 'rules', ...files.map(file => `test-${file}`)], { cwd: dir }) : checked
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** Prometheus' promtool from Debian's package. Throws StackFault if it is unavailable. */
export async function fetchPromtool(): Promise<string> {
  const own = Bun.which('promtool')
  if (own) return own
  const dir = await cached('promtool-debian', filling => unpackDebian('prometheus', filling))
  return join(dir, 'usr/bin/promtool')
}
