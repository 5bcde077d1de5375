import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../stack/instance'
import { passIfNone, runCommand, type Step } from '../step'

const runbook = 'docs/operations.md'
/** As an install of the release `filmgate` renders it. */
const rendered = 'charts/filmgate/examples/production/rendered.yaml'
const services = ['gateway', 'ledger', 'media-probe', 'dispatcher', 'catalog', 'console', 'webhooks']
const verbs = ['get', 'describe', 'logs', 'exec', 'top', 'rollout', 'scale', 'create', 'set']
/** Between an alert's heading and its block stands what happened, in so many lines at most. */
const linesBeforeMax = 13

export const runbookSteps: Step[] = [
  {
    name: 'runbook',
    reads: /^(docs\/operations\.md|services\/|tools\/ops|tools\/verify\/runbook|charts\/filmgate\/examples)/,
    fix: "An alert's section begins with a block of commands, and each of them names what exists: a command of ops, a resource, a log line, a table.",
    run: async () => {
      const known = { commands: await opsCommands(), resources: resourcesIn(readFileSync(join(root, rendered), 'utf8')), textOf, tablesOf }
      return passIfNone(runbookFaults(readFileSync(join(root, runbook), 'utf8'), known))
    },
  },
]

export type Known = {
  /** Such as `review list`. */
  commands: ReadonlySet<string>
  /** Such as `deploy/filmgate-ledger`. */
  resources: ReadonlySet<string>
  /** The source of a service and of kit; of all for `<service>`. */
  textOf(service: string): string
  /** The SQL of a service's migrations. */
  tablesOf(service: string): string
}

/** Sections of alerts that do not begin with a block of commands, and commands that name what does not exist. */
export const runbookFaults = (text: string, known: Known): string[] =>
  alertSections(text).flatMap(({ name, before, blocks }) => {
    if (blocks.length === 0) return [`${name} has no commands`]
    const late = before.split('\n').length > linesBeforeMax || /^\|/m.test(before)
    const faults = blocks.flat().flatMap(one => commandFaults(one, known))
    return [...(late ? [`${name} begins with something else than its commands`] : []), ...faults.map(fault => `${name}: ${fault}`)]
  })

export type AlertSection = { name: string; before: string; blocks: string[][] }

/** The sections of alerts: the text before the commands, and the commands of each block. */
export const alertSections = (text: string): AlertSection[] =>
  text
    .split(/^(?=###? )/m)
    .filter(section => /^### Filmgate\w+$/m.test(section.split('\n', 1)[0] ?? ''))
    .map(section => {
      const blocks = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)]
      return {
        name: section.slice(4, section.indexOf('\n')),
        before: section.slice(0, blocks[0]?.index ?? 0),
        blocks: blocks.map(([, block = '']) => statements(block)),
      }
    })

/** The commands of a block: without comments, a quotation of several lines as one. */
const statements = (block: string): string[] =>
  block
    .replaceAll(/"[^"]*"|'[^']*'/g, quoted => quoted.replaceAll('\n', ' ').replaceAll(';', '\u0001'))
    .split(/\n|; /)
    .map(line =>
      line
        .replaceAll('\u0001', ';')
        .replace(/\s+#.*$/, '')
        .trim(),
    )
    .filter(Boolean)

function commandFaults(statement: string, { commands, resources, textOf, tablesOf }: Known): string[] {
  const [program = '', first = '', second = ''] = statement.split(/\s+/)
  const faults = [...statement.matchAll(/\b(deploy|cronjob|job)[/ ](filmgate-[a-z-]+)/g)]
    .map(([, kind, name]) => `${kind}/${name}`)
    .filter(resource => !resource.endsWith('-') && !resources.has(resource))
    .map(resource => `there is no ${resource}`)
  if (program === 'ops')
    return commands.has(`${first} ${second}`) || commands.has(first) ? faults : [...faults, `ops has no ${first} ${second}`]
  if (program === 'k') return verbs.includes(first) ? faults : [...faults, `k ${first} is none of ${verbs.join(', ')}`]
  if (program === 'db') {
    const tables = [...statement.matchAll(/\bfrom ([a-z_]+)/g)].map(([, table = '']) => table)
    return [...faults, ...tables.filter(table => !tablesOf(first).includes(table)).map(table => `${first} has no table ${table}`)]
  }
  if (program !== 'logs') return faults
  if (first !== '<service>' && !services.includes(first)) return [...faults, `there is no service ${first}`]
  const [, flags = '', pattern = ''] = /\| grep (-\w+ )?(?:'([^']+)'|(?:\w+))/.exec(statement) ?? []
  const source = textOf(first)
  const lines = pattern.split(/\|(?![^(]*\))/).filter(one => one && !one.includes('"'))
  const missing = lines.filter(one => !new RegExp(one, flags.includes('i') ? 'i' : '').test(source))
  return [...faults, ...missing.map(one => `no log line of ${first} has: ${one}`)]
}

const resourceKinds: Record<string, string> = { Deployment: 'deploy', CronJob: 'cronjob', Job: 'job' }

const resourcesIn = (manifests: string): Set<string> =>
  new Set([
    'deploy/filmgate-ops',
    ...[...manifests.matchAll(/^kind: (\w+)\nmetadata:\n {2}name: (\S+)$/gm)].map(
      ([, kind = '', name]) => `${resourceKinds[kind]}/${name}`,
    ),
  ])

const filesText = (pattern: string): string =>
  [...new Bun.Glob(pattern).scanSync(root)].map(file => readFileSync(join(root, file), 'utf8')).join('\n')

const textOf = (service: string): string =>
  filesText(`services/${service === '<service>' ? '*' : service}/src/**/*.ts`) + filesText('services/kit/src/**/*.ts')

const tablesOf = (service: string): string => filesText(`services/${service}/migrations/*.sql`) + filesText('services/kit/migrations/*.sql')

/** What the help of ops and of its groups lists. */
async function opsCommands(): Promise<Set<string>> {
  const listed = async (words: string[]): Promise<string[]> => {
    const { output } = await runCommand([process.execPath, 'tools/ops.ts', ...words, '--help'], { cwd: root })
    return [...(output.split('Commands:')[1] ?? '').matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name = '']) => name)
  }
  const groups = await listed([])
  const inGroups = await Promise.all(groups.map(async group => (await listed([group])).map(verb => `${group} ${verb}`)))
  // Some groups are commands themselves.
  return new Set([...inGroups.flat(), 'audit', 'recover'])
}
