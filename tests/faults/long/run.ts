import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { portBaseFrom, readArguments, requireKnown } from '@filmgate/tools/stack/command/arguments'
import { fetchStatus } from '@filmgate/tools/stack/command/control'
import { explain, StackFault } from '@filmgate/tools/stack/fault'
import { addressOf, root } from '@filmgate/tools/stack/instance'
import { suitePortBase } from '@filmgate/tools/stack/ports'
import type { Outcome } from '@filmgate/tools/test/bun/outcome'
import type { Figure } from '../../support/suite/figures'
import { createReport, type Report } from '../../support/suite/report'
import { exits, type Form, forms } from './forms'
import { showLines } from './show-lines'

const secondsDefault = 600
const names = forms.map(({ name }) => name)
const usage = `Usage: bun run test:faults [--seconds N] [--only PATTERN] [FORM…]

Faults at their real length, side by side, each on a stack of its own: the login of the gateway, the ledger and the dispatcher refused under
load; DNS, egress and S3 of ours gone with videos waiting; every exit of a task that stands still, by its \`ops\` command; every secret
rotated. The tests are those of \`bun run test\`, with the length told. The form restore has its own: databases set back by a fifth of that
length, Kafka's disk lost. So has alerts: a Prometheus with the chart's rules, and faults that each raise one. Takes half an hour and
10 GB of memory, little processor.

  FORM                   ${names.join(' ')} (default: all)
  --seconds N            how long the faults last (default ${secondsDefault})
  --only PATTERN         of the chosen forms the tests whose names match, a regular expression
  FILMGATE_PORT_BASE=N   the first port; each form takes the next hundred (default ${suitePortBase})

Each form's lines are shown with its name; its services' logs are in .local/faults-FORM/logs. Writes .local/reports/faults.json; exit 1
where anything failed.`

const portsOfForm = 100
const readyTimeoutMs = 600_000

async function main(): Promise<number> {
  const { values, positionals } = readArguments(
    {
      args: process.argv.slice(2),
      allowPositionals: true,
      options: { seconds: { type: 'string', default: String(secondsDefault) }, only: { type: 'string' }, help: { type: 'boolean' } },
    },
    usage,
  )
  if (values.help) {
    console.log(usage)
    return 0
  }
  requireKnown('form', positionals, names)
  const seconds = Number(values.seconds)
  if (!Number.isInteger(seconds) || seconds < 60 || seconds > 3_600)
    throw new StackFault(`--seconds takes a whole number from 60 to 3600.\n\n${usage}`)
  const chosen = forms.filter(({ name }) => positionals.length === 0 || positionals.includes(name))
  const startedAt = performance.now()
  const running = await startAll(chosen, seconds, values.only)
  const report = createReport('faults')
  for (const { form, ended } of running) addForm(report, form, await ended)
  addFigures(report, chosen)
  report.figure('minutes', (performance.now() - startedAt) / 60_000)
  return report.finish()
}

type Running = { form: Form; ended: Promise<number> }

/** One after another, because raising a stack is what takes the processor; each goes on while the next is raised. */
async function startAll(chosen: Form[], seconds: number, only: string | undefined): Promise<Running[]> {
  const portBase = portBaseFrom(process.env.FILMGATE_PORT_BASE, suitePortBase)
  const children: Bun.Subprocess[] = []
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => children.map(child => child.kill(signal)))
  const running: Running[] = []
  for (const form of chosen) {
    rmSync(fileOf(form, 'outcome.json'), { force: true })
    const port = String(portBase + portsOfForm * forms.indexOf(form))
    const command = [
      process.execPath,
      join(import.meta.dir, 'run-form.ts'),
      form.name,
      port,
      String(seconds),
      ...(only === undefined ? [] : [only]),
    ]
    const child = Bun.spawn(command, { cwd: root, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
    children.push(child)
    const shown = [child.stdout, child.stderr].map(lines => showLines(form.name, lines))
    running.push({ form, ended: Promise.all([child.exited, ...shown]).then(([code]) => code) })
    await readyOrEnded(form, child)
  }
  return running
}

async function readyOrEnded({ name }: Form, child: Bun.Subprocess): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs
  while (child.exitCode === null && Date.now() < deadline && !(await fetchStatus(addressOf(`faults-${name}`)))?.ready) await Bun.sleep(500)
}

const fileOf = ({ name }: Form, file: string): string => join(root, '.local', `faults-${name}`, file)

/** A form whose stack didn't come up, or was interrupted, has failed. */
function addForm(report: Report, form: Form, code: number): void {
  const file = fileOf(form, 'outcome.json')
  const { passed, failures }: Pick<Outcome, 'passed' | 'failures'> = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { passed: 0, failures: [] }
  for (let count = 0; count < passed; count++) report.check(form.name, true)
  for (const words of failures) report.check(form.name, false, words)
  if (failures.length === 0) report.check(form.name, code === 0 && passed > 0, `ended with ${code} after ${passed} tests`)
}

/** Figures of one name are added up over the forms. Where all forms ran, every exit was used. */
function addFigures(report: Report, chosen: Form[]): void {
  const sums = new Map<string, number>()
  for (const form of chosen) {
    const file = fileOf(form, 'figures.jsonl')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
    for (const { name, value } of lines.map(line => JSON.parse(line) as Figure)) sums.set(name, (sums.get(name) ?? 0) + value)
  }
  for (const [name, value] of sums) report.figure(name, value)
  for (const exit of exits)
    if (chosen.length === forms.length) report.check(`ops ${exit} was used`, (sums.get(`ops ${exit}`) ?? 0) > 0)
    else report.skip(`ops ${exit}`, 'not all forms were asked for')
}

process.exit(
  await main().catch((error: unknown) => {
    console.error(explain(error))
    return 1
  }),
)
