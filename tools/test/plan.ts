import { existsSync, statSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { StackFault } from '../stack/fault'
import { root } from '../stack/instance'

/** Test files by what they need. */
export interface TestPlan {
  /** Real servers with separate databases and topics, or servers of their own. */
  packages: string[]
  /** Running services, shared between files. */
  wire: string[]
  /** A whole stack exclusively, because they stop parts of it. */
  faults: string[]
}

const everything = ['clients', 'proto', 'services', 'tools', 'tests/standalone', 'tests/contract', 'tests/e2e', 'tests/faults']

/** Fault tests of 45 s and more, longest first, so that none runs alone at the end. */
const longFaults = ['lost-events', 'killed-service', 'hidden-provider', 'secure-broker', 'stopped-server', 'own-fault', 'refused-login']

/** The test files below the paths; by default all of `bun run test`. */
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
  if (!file.startsWith('tests/') || file.startsWith('tests/standalone/')) return 'packages'
  return /^tests\/(contract|e2e)\//.test(file) ? 'wire' : 'faults'
}
