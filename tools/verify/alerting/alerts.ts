import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { YAML } from 'bun'
import { type AlertGroup, alertGroups, toPrometheus } from '../../charts/alert-rules'
import { thresholdNames } from '../../charts/alert-values'
import { namedSeries } from '../../charts/named-series'
import { byAlert, namespace, type RuleCase, ruleTests, type SilentLine, silentTests } from '../../charts/rule-tests'
import { chartsDir } from '../../charts/write-schemas'
import { StackFault } from '../../stack/fault'
import { cached } from '../../stack/fetch/cached'
import { unpackDebian } from '../../stack/fetch/package-client'
import { type Outcome, passIfNone, runCommand, type Step } from '../step'

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
/** Pipelines on which no alert fires, by the name of their file. */
const silent = ['healthy', 'quiet-night'] as const
const readSilent = (name: (typeof silent)[number]) => readYaml<SilentLine>(`${name}.yaml`)

async function readCases(): Promise<RuleCase[]> {
  const files = readdirSync(testsDir).filter(file => file.endsWith('.yaml') && !silent.some(name => file === `${name}.yaml`))
  return (await Promise.all(files.map(file => readYaml<RuleCase[]>(file)))).flat()
}

async function checkCoverage(): Promise<Outcome> {
  const sections = [...(await Bun.file(runbook).text()).matchAll(/^### (Filmgate\w+)$/gm)].map(([, name = '']) => name)
  const { series } = await readSilent('healthy')
  const rules = (
    await Promise.all([...new Bun.Glob('alerts/*.yaml').scanSync(umbrella)].map(file => Bun.file(join(umbrella, file)).text()))
  ).join()
  const unread = thresholdNames().filter(name => !rules.includes(`$threshold(${name})`))
  return passIfNone([
    ...coverageFaults(await groupsOfRelease(), await readCases(), series, sections),
    ...unread.map(name => `alerts.thresholds.${name} is read by no alert`),
  ])
}

/** Reports alerts without a unique name, a firing case, a healthy series, a namespace or a runbook section. */
export function coverageFaults(
  groups: Pick<AlertGroup, 'recordings' | 'rules'>[],
  cases: RuleCase[],
  healthy: Record<string, string>,
  sections: string[],
): string[] {
  const rules = groups.flatMap(group => group.rules)
  const fires = new Set(cases.filter(one => one.says !== undefined).map(one => one.alert))
  const healthyMetrics = new Set(Object.keys(healthy).map(name => name.split('{')[0]))
  const names = new Set(rules.map(({ alert }) => alert))
  const missing = rules.flatMap(({ alert }) => [
    ...(fires.has(alert) ? [] : [`${alert} has no case in which it fires`]),
    ...(sections.includes(alert) ? [] : [`${alert} has no section in ${runbook}`]),
  ])
  const unread = groups.flatMap(({ recordings, rules }) => {
    const recorded = recordings.map(({ record }) => record)
    return [
      ...recordings.flatMap(({ record, expr }) => readingFaults(record, expr, healthyMetrics)),
      ...rules.flatMap(({ alert, expr }) => readingFaults(alert, expr, new Set([...healthyMetrics, ...recorded]))),
    ]
  })
  const stray = sections.filter(section => !names.has(section)).map(section => `${runbook} has a section for ${section}, which is no alert`)
  const duplicates = [
    ...repeated(rules.map(({ alert }) => alert)).map(alert => `${alert} is the name of more than one alert`),
    ...repeated(sections).map(section => `${runbook} has more than one section for ${section}`),
  ]
  return [...new Set([...missing, ...unread, ...stray, ...duplicates])]
}

/** What is wrong with the series that a rule reads. */
function readingFaults(name: string, expr: string, known: ReadonlySet<string | undefined>): string[] {
  const series = namedSeries(expr)
  return [
    ...(series.length > 0 ? [] : [`${name} names no series with a selector`]),
    ...series.filter(one => !known.has(one.metric)).map(one => `${name} reads ${one.metric}, which the healthy line does not have`),
    ...series.filter(one => !one.labels.includes('namespace')).map(one => `${name} reads ${one.metric} of every namespace`),
  ]
}

const repeated = (names: string[]): string[] => [...new Set(names.filter((name, index) => names.indexOf(name) < index))]

async function runRuleTests(): Promise<Outcome> {
  const promtool = await fetchPrometheus('promtool').catch((error: unknown) => {
    if (error instanceof StackFault) return error
    throw error
  })
  if (promtool instanceof StackFault) return { ok: true, output: '', skipReason: `promtool is unavailable: ${promtool.message}` }
  const groups = await groupsOfRelease()
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-alerts-'))
  try {
    const lines = await Promise.all(silent.map(readSilent))
    const files = groups.map(({ name }) => groupFile(name))
    const tests: string[] = []
    const writeTest = async (name: string, text: string) => {
      tests.push(`test-${name}`)
      await Bun.write(join(dir, `test-${name}`), text)
    }
    for (const [index, group] of groups.entries()) {
      const file = files[index] ?? ''
      await Bun.write(join(dir, file), YAML.stringify({ groups: [toPrometheus(group)] }))
      for (const one of byAlert(group, await readYaml<RuleCase[]>(file))) {
        await Bun.write(join(dir, `${one.alert}.yaml`), YAML.stringify({ groups: [toPrometheus(one.group)] }))
        await writeTest(`${one.alert}.yaml`, ruleTests(`${one.alert}.yaml`, one))
      }
      for (const [at, line] of lines.entries()) await writeTest(`${silent[at]}-${file}`, silentTests(file, group, line))
    }
    const checked = await runCommand([promtool, 'check', 'rules', ...files], { cwd: dir })
    return checked.ok ? await runCommand([promtool, 'test', 'rules', ...tests], { cwd: dir }) : checked
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}

/** A program of Debian's package of Prometheus, or the machine's own. Throws StackFault if it is unavailable. */
export async function fetchPrometheus(program: 'prometheus' | 'promtool'): Promise<string> {
  const own = Bun.which(program)
  if (own) return own
  const dir = await cached('promtool-debian', filling => unpackDebian('prometheus', filling))
  return join(dir, 'usr/bin', program)
}
