import { existsSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { StackFault } from '../stack/fault'
import { root } from '../stack/instance'

/** Files of tests by what they need. */
export interface TestPlan {
  /** Real servers, with databases and topics of their own. */
  packages: string[]
  /** The services too, shared with other files. */
  wire: string[]
  /** A whole stack that nobody else uses meanwhile, because they stop its parts. */
  faults: string[]
}

const everything = ['proto', 'services', 'tools', 'tests/contract', 'tests/e2e', 'tests/faults']

/** The files of faults that take a minute and more, longest first: begun last, one of them would be waited for alone. */
const longFaults = ['lost-events', 'killed-service', 'stopped-server', 'refused-login', 'own-fault', 'hidden-provider']

/** The files of tests below the paths; the default is every test that `bun run test` is for. */
export function planTests(paths: string[]): TestPlan {
  const plan: TestPlan = { packages: [], wire: [], faults: [] }
  for (const file of new Set((paths.length ? paths : everything).flatMap(testsBelow))) plan[needOf(file)].push(file)
  plan.faults.sort((a, b) => rankOf(a) - rankOf(b))
  return plan
}

function rankOf(file: string): number {
  const rank = longFaults.indexOf(basename(file, '.test.ts'))
  return rank === -1 ? longFaults.length : rank
}

export const filesOf = ({ packages, wire, faults }: TestPlan): string[] => [...packages, ...wire, ...faults]

function testsBelow(path: string): string[] {
  const absolute = join(root, relative(root, path))
  if (!existsSync(absolute)) throw new StackFault(`There is no ${path}.`)
  if (!statSync(absolute).isDirectory()) return [relative(root, absolute)]
  const found = [...new Bun.Glob('**/*.test.ts').scanSync(absolute)].filter(file => !file.includes('node_modules/'))
  return found.sort().map(file => relative(root, join(absolute, file)))
}

const needOf = (file: string): keyof TestPlan => {
  if (!file.startsWith('tests/')) return 'packages'
  return /^tests\/(contract|e2e)\//.test(file) ? 'wire' : 'faults'
}
