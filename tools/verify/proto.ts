import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Outcome, runCommand, type Step } from './step'

/** The schema of the last release, which running consumers may use. `bun run proto release` renews it. */
export const releasedImage = 'released.binpb'

const cwd = 'proto'
const bin = resolve('node_modules/.bin')
export const buf = (...args: string[]): string[] => [join(bin, 'buf'), ...args]
/** buf finds its generator on PATH. */
export const bufEnv = { PATH: `${bin}:${process.env.PATH}` }

const reads = /^(proto\/|tools\/verify\/proto\.ts$|bun\.lock$)/
export const protoSteps: Step[] = [
  { name: 'proto lint', reads, fix: 'Follow the rule that buf names.', run: () => runCommand(buf('lint'), { cwd }) },
  {
    name: 'proto compatibility',
    reads,
    fix: 'Add a field or a message instead: services of two versions run side by side during every roll-out.',
    run: async () =>
      existsSync(join(cwd, releasedImage)) ? runCommand(buf('breaking', '--against', releasedImage), { cwd }) : { ok: true, output: '' },
  },
  { name: 'proto generated', reads, fix: '`bun run proto` generates it again; commit the result.', run: generatedIsCurrent },
]

async function generatedIsCurrent(): Promise<Outcome> {
  const dir = mkdtempSync(join(tmpdir(), 'filmgate-proto-'))
  try {
    const generated = await runCommand(buf('generate', '-o', dir), { cwd, env: bufEnv })
    if (!generated.ok) return generated
    const compared = await runCommand(['diff', '-rq', join(dir, 'gen'), join(cwd, 'gen')])
    return { ok: compared.ok, output: compared.output.replaceAll(dir, 'generated now') }
  } finally {
    rmSync(dir, { recursive: true, force: true })
  }
}
