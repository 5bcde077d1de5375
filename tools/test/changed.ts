import { relative, resolve } from 'node:path'
import { mustRun } from '../stack/fetch/run'
import { importsOf } from '../verify/reachable-files'
import { sourceFiles } from '../verify/source-files'

/** The number of test files that run within a minute, stack included. */
const filesMax = 25

/** Files that differ from the last commit, without deleted ones. */
export async function changedFiles(): Promise<string[]> {
  const differ = (await mustRun('Listing the changes', ['git', 'diff', '--name-only', 'HEAD'])).split('\n')
  const untracked = (await mustRun('Listing new files', ['git', 'ls-files', '--others', '--exclude-standard'])).split('\n')
  const present = new Set(await sourceFiles())
  return [...new Set([...differ, ...untracked])].filter(file => present.has(file))
}

/**
 * Tests that changed, are next to a changed file, or import one directly. `left` counts importing tests
 * beyond `filesMax`.
 */
export async function testsOfChange(changed: string[]): Promise<{ tests: string[]; left: number }> {
  const tests = (await sourceFiles()).filter(file => file.endsWith('.test.ts'))
  const own = new Set(changed)
  const beside = new Set(changed.map(file => file.replace(/\.ts$/, '.test.ts')))
  const near = tests.filter(file => own.has(file) || beside.has(file))
  const importing = tests.filter(file => !near.includes(file) && importsOf(resolve(file)).some(each => own.has(relative('.', each))))
  const room = Math.max(0, filesMax - near.length)
  return { tests: [...near, ...importing.slice(0, room)], left: Math.max(0, importing.length - room) }
}
