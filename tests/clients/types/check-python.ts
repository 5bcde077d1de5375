import { mkdtempSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchPythonPackage } from '@filmgate/tools/stack/fetch/uv'
import type { Bodies } from './bodies'
import type { Compiled } from './compile-typescript'
import type { Body } from './right-bodies'
import { kindsOfUnions } from './wrong-bodies'

const root = resolve(import.meta.dir, '../../..')
export const mypyVersion = '2.4.1'
/** The oldest that the client runs with. */
const pythonVersion = '3.10'

export const fetchMypy = (): Promise<string> =>
  fetchPythonPackage('mypy', mypyVersion, { pinnedIn: 'tests/clients/types/check-python.ts', instead: 'leave the part types out' })

/** One run of mypy over all bodies as keyword arguments: those that it takes though they are wrong, or refuses though they are right. */
export async function checkPython({ right, wrong, beyond }: Bodies): Promise<Compiled> {
  const refusable = wrong.filter(({ kind }) => !kindsOfUnions.includes(kind))
  const calls = [...[...right, ...beyond].map(body => ({ body, kind: undefined })), ...refusable]
  const head = ['from filmgate._calls import EstimateCall', 'def check(estimate: EstimateCall[None]) -> None:']
  const lines = [...head, ...calls.map(({ body }) => `    estimate(${keywords(body)})`)]
  const folder = mkdtempSync(join(root, 'node_modules/.types-'))
  try {
    await Bun.write(join(folder, 'bodies.py'), lines.join('\n'))
    const options = ['--strict', '--follow-imports=silent', '--no-error-summary', '--python-version', pythonVersion]
    const began = performance.now()
    const child = Bun.spawn(['python3', '-m', 'mypy', ...options, '--cache-dir', join(folder, 'cache'), 'bodies.py'], {
      cwd: folder,
      env: { ...process.env, PYTHONPATH: await fetchMypy(), MYPYPATH: join(root, 'clients/python/src') },
      stdout: 'pipe',
      stderr: 'pipe',
    })
    const [output, errors, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited])
    if (code > 1 || /bodies\.py:[12]: error/.test(output)) throw new Error(`mypy: ${output.slice(0, 2000)}${errors}`)
    const refused = new Set([...output.matchAll(/bodies\.py:(\d+): error/g)].map(([, number]) => Number(number) - 1 - head.length))
    const misjudged = calls.flatMap(({ kind }, index) => {
      if (refused.has(index) === (kind !== undefined)) return []
      return [{ line: lines[index + head.length] ?? '', words: kind === undefined ? 'is refused' : `is taken with ${kind}` }]
    })
    const refusals = calls.filter(({ kind }, index) => kind !== undefined && refused.has(index)).length
    return { misjudged, refused: refusals, ms: performance.now() - began }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const keywords = (body: Body): string =>
  Object.entries(body)
    .map(([name, value]) => `${name}=${literal(value)}`)
    .join(', ')

function literal(value: unknown): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return Array.isArray(value) ? `[${value.map(literal).join(', ')}]` : JSON.stringify(value)
}
