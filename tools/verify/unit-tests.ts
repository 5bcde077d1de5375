import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { importsOf } from './reachable-files'
import { sourceFiles } from './source-files'
import { runCommand, type Step } from './step'

const startsProgram = /\bBun\.spawn|node:child_process/

export const unitTestStep: Step = {
  name: 'plain unit tests',
  cure: 'Mend the code or the test; one file alone: `bun test <file>`.',
  run: async () => {
    const files = await plainTests()
    if (files.length === 0) return { ok: true, output: '' }
    return runCommand([process.execPath, 'test', '--only-failures', '--timeout', '30000', ...files.map(file => `./${file}`)])
  },
}

/** Tests of nothing but code: those that reach, at any depth, neither kit's testing.ts, which says where the servers are, nor another program. */
export async function plainTests(): Promise<string[]> {
  const tests = (await sourceFiles()).filter(file => /^(services|proto|tools|tests\/cluster)\/.*\.test\.ts$/.test(file))
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
