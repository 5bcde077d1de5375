import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { importsOf, reachableFiles } from './reachable-files'
import { sourceFiles } from './source-files'
import { runCommand, type Step } from './step'

const startsProgram = /\bBun\.spawn|node:child_process/

/** These tests mostly wait for timeouts. One that fails is tried once more: `bun run test` runs them too, and names those that are unsteady. */
const filesAtOnce = 6

export const unitTestStep: Step = {
  name: 'plain unit tests',
  fix: 'Correct the code or the test; for one file: `bun test <file>`.',
  run: async changed => {
    const files = (await plainTests()).filter(file => !changed || reaches(file, changed))
    if (files.length === 0) return { ok: true, output: '' }
    const options = [`--parallel=${filesAtOnce}`, '--only-failures', '--timeout', '30000', '--retry=1']
    return runCommand([process.execPath, 'test', ...options, ...files.map(file => `./${file}`)])
  },
}

function reaches(test: string, changed: string[]): boolean {
  const files = new Set(changed.map(file => resolve(file)))
  return reachableFiles(test).some(file => files.has(file))
}

/** Tests that need no server: their imports reach neither kit's testing.ts nor a child process. */
export async function plainTests(): Promise<string[]> {
  const tests = (await sourceFiles()).filter(file => /^(services|proto|tools|tests\/(cluster|console))\/.*\.test\.ts$/.test(file))
  const needsMore = createNeedCheck(resolve('services/kit/src/testing.ts'))
  return tests.filter(file => !needsMore(resolve(file)))
}

function createNeedCheck(testing: string): (file: string) => boolean {
  const known = new Map<string, boolean>([[testing, true]])
  return function needs(file: string): boolean {
    const found = known.get(file)
    if (found !== undefined) return found
    known.set(file, false)
    const answer = startsProgram.test(readFileSync(file, 'utf8')) || importsOf(file).some(needs)
    known.set(file, answer)
    return answer
  }
}
