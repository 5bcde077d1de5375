import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { render } from '../../charts/helm'
import { chartsDir } from '../../charts/write-schemas'
import { readCoverage } from '../../cluster-proof/read-coverage'
import { StackFault } from '../../stack/fault'
import { wholeExamples } from '../charts'
import { type Outcome, passIfNone, runCommand, type Step } from '../step'
import { type Accepted, accepted } from './accepted-findings'
import { type Command, fetchCheckov, fetchKubeScore } from './fetch-judges'

type Judge = Accepted['judge']
export type Finding = { judge: Judge; check: string; object: string; critical: boolean; words: string }

const reads = /^charts\/|^tools\/verify\/judges\//
const kubernetesVersion = 'v1.35'
const umbrella = join(chartsDir, 'filmgate')

/** What others' tools say of what the cluster would get. */
export const judgeSteps: Step[] = [
  {
    name: 'charts judged',
    reads,
    fix: 'correct the chart; a finding that has to stay gets its reason in tools/verify/judges/accepted-findings.ts',
    run: judgeUnproven,
  },
]

/** The proof on a cluster judges, too: what its committed report covers is not judged again. */
async function judgeUnproven(): Promise<Outcome> {
  const { proven } = await readCoverage()
  return proven ? { ok: true, output: '' } : judgeExamples()
}

export async function judgeExamples(): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-judged-'))
  try {
    return await judgeFiles(await Promise.all(wholeExamples.map(name => renderExample(name, folder))))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function renderExample(name: string, folder: string): Promise<string> {
  const { ok, output } = await render(umbrella, [join(umbrella, 'examples', name, 'values.yaml')])
  if (!ok) throw new Error(`${name}: ${output}`)
  const file = join(folder, `${name}.yaml`)
  await Bun.write(file, output)
  return file
}

async function judgeFiles(files: string[]): Promise<Outcome> {
  const verdicts = await Promise.all([judgedBy(fetchCheckov, askCheckov, files), judgedBy(fetchKubeScore, askKubeScore, files)])
  const findings = verdicts.flatMap(one => one.findings)
  const away = verdicts.flatMap(one => one.away ?? [])
  const { ok, output } = passIfNone(findingFaults(findings, away.length > 0 ? [] : accepted, accepted))
  return { ok, output, ...(away.length > 0 && { skipReason: away.join('; ') }) }
}

async function judgedBy(fetch: () => Promise<Command>, ask: (command: Command, files: string[]) => Promise<Finding[]>, files: string[]) {
  try {
    return { findings: await ask(await fetch(), files) }
  } catch (error) {
    if (error instanceof StackFault) return { findings: [], away: error.message }
    throw error
  }
}

/** Findings without a reason, critical ones with or without, and reasons of `expected` without a finding. */
export function findingFaults(findings: Finding[], expected: Accepted[], reasons: Accepted[] = expected): string[] {
  const explains = (one: Accepted, { judge, check, object }: Finding) =>
    one.judge === judge && one.check === check && one.objects.test(object)
  const unexplained = findings.filter(finding => finding.critical || !reasons.some(one => explains(one, finding)))
  const stale = expected.filter(one => !findings.some(finding => explains(one, finding)))
  return [
    ...new Set(
      unexplained.map(
        ({ judge, check, object, words, critical }) => `${judge} ${check}${critical ? ', critical' : ''}: ${object}: ${words}`,
      ),
    ),
    ...stale.map(({ judge, check, objects }) => `${judge} ${check} of ${objects} is explained, and found nowhere any more`),
  ]
}

type FailedCheck = { check_id: string; check_name: string; resource: string; file_path: string; severity: string | null }
type CheckovReport = { results: { failed_checks: FailedCheck[] } }

/** `<example>: <object>` */
const inExample = (file: string, object: string) => `${basename(file, '.yaml')}: ${object}`

async function askCheckov({ command, env }: Command, files: string[]): Promise<Finding[]> {
  const options = ['--framework', 'kubernetes', '--compact', '--quiet', '--soft-fail', '--skip-download', '-o', 'json']
  const { output } = await runCommand([...command, ...options, ...files.flatMap(file => ['-f', file])], { env })
  const [report] = [jsonIn(output, 'checkov')].flat() as CheckovReport[]
  return (report?.results.failed_checks ?? []).map(({ check_id, check_name, resource, file_path, severity }) => ({
    judge: 'checkov',
    check: check_id,
    object: inExample(file_path, resource),
    critical: severity === 'CRITICAL',
    words: check_name,
  }))
}

type Scored = {
  object_name: string
  checks: { check: { id: string; name: string }; grade: number; skipped: boolean; comments: { summary: string }[] | null }[] | null
}
/** kube-score's grades: 10 is well, 5 a warning, 1 critical. */
const [wellGrade, criticalGrade] = [10, 1]

/** File by file: objects of one name in two examples are not one object. */
async function askKubeScore({ command, env }: Command, files: string[]): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const file of files) {
    const { output } = await runCommand([...command, 'score', '-o', 'json', '--kubernetes-version', kubernetesVersion, file], { env })
    for (const { object_name, checks } of jsonIn(output, 'kube-score') as Scored[])
      for (const { check, grade, comments, skipped } of checks ?? [])
        if (!skipped && grade < wellGrade) {
          const words = comments?.map(({ summary }) => summary).join(', ') || check.name
          findings.push({
            judge: 'kube-score',
            check: check.id,
            object: inExample(file, object_name),
            critical: grade <= criticalGrade,
            words,
          })
        }
  }
  return findings
}

/** The report in what a tool printed; without one the tool itself failed. */
function jsonIn(output: string, name: string): unknown {
  const start = output.search(/^[[{]/m)
  try {
    return JSON.parse(output.slice(start))
  } catch {
    throw new Error(`${name} gave no report: ${output.slice(-500)}`)
  }
}
