import { afterAll, expect, test } from 'bun:test'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { run } from '@filmgate/tools/stack/fetch/run'
import { fetchUv } from '@filmgate/tools/stack/fetch/uv'
import { fetchMypy } from '../clients/types/check-python'

const client = resolve(import.meta.dir, '../../clients/python')
const pins = ['pytest==9.2.0', 'httpx==0.28.1', 'standardwebhooks==1.1.0', 'hatchling==1.33.0']
const oldest = [3, 10] as const
const testTimeoutMs = 300_000
const folder = mkdtempSync(join(tmpdir(), 'filmgate-python-'))
afterAll(() => rmSync(folder, { recursive: true }))

type Python = { path: string; version: string }

/** The oldest and the newest Python of this machine that the client runs with. */
async function findPythons(): Promise<Python[]> {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions')
  const installed = [...new Bun.Glob('*/bin/python3').scanSync({ cwd: versions, throwErrorOnBrokenSymlink: false })]
  const found = await Promise.all(['python3', ...installed.map(path => join(versions, path))].map(readVersion))
  const fitting = found.flatMap(python => (python && Bun.semver.order(python.version, `${oldest.join('.')}.0`) >= 0 ? [python] : []))
  const sorted = fitting.sort((a, b) => Bun.semver.order(a.version, b.version))
  return [...new Set([sorted[0], sorted.at(-1)])].filter(python => python !== undefined)
}

async function readVersion(path: string): Promise<Python | undefined> {
  const { code, output } = await run([path, '-c', 'import platform; print(platform.python_version())'])
  return code === 0 && /^\d+\.\d+\.\d+$/.test(output) ? { path, version: output } : undefined
}

/** What the tests need, of versions that the oldest Python takes too. */
const packages = (): Promise<string> =>
  cached(`python-client-${Bun.hash(pins.join()).toString(36)}`, async filling => {
    const command = [
      await fetchUv(),
      'pip',
      'install',
      '-q',
      '--no-cache',
      '--python-version',
      oldest.join('.'),
      '--target',
      filling,
      ...pins,
    ]
    const pinned = { pin: pins.join(' '), pinnedIn: 'tests/standalone/python-client.test.ts', instead: 'leave this test out' }
    await fetchPinned(pinned, command)
  })

const python = async (path: string, words: string[], env: Record<string, string> = {}) => {
  const PYTHONPATH = [await packages(), ...(env.PYTHONPATH ? [env.PYTHONPATH] : [])].join(':')
  const { code, output } = await run([path, ...words], { cwd: client, env: { PYTHONDONTWRITEBYTECODE: '1', ...env, PYTHONPATH } })
  if (code !== 0) throw new Error(output.slice(-6_000))
  return output
}

test.each(await findPythons())('the tests of the Python client pass on Python $version', testOn, testTimeoutMs)

async function testOn({ path, version }: Python): Promise<void> {
  const output = await python(path, ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--basetemp', join(folder, version)], {
    FILMGATE_CUT_STEP: '251',
  })
  expect(output).toMatch(/\d+ passed/)
  expect(output).not.toMatch(/failed|skipped|error/)
}

test(
  'mypy takes the Python client and its example strictly',
  async () => {
    const options = ['--strict', '--python-version', oldest.join('.'), '--cache-dir', join(folder, 'mypy')]
    const output = await python('python3', ['-m', 'mypy', ...options, 'src', 'examples'], { PYTHONPATH: await fetchMypy() })
    expect(output).toContain('Success')
  },
  testTimeoutMs,
)

test(
  'the wheel that is made of the sdist has all of the package, and runs without its source',
  async () => {
    const hook = 'import hatchling.build as build, sys; print(build.build_sdist(sys.argv[1]))'
    await python('python3', ['-c', hook, folder])
    const unpacked = await run(['tar', '-xzf', join(folder, 'filmgate-0.1.0.tar.gz'), '-C', folder])
    expect(unpacked.code).toBe(0)
    const source = join(folder, 'filmgate-0.1.0')
    const wheelHook = 'import hatchling.build as build, os, sys; os.chdir(sys.argv[1]); print(build.build_wheel(sys.argv[2]))'
    await python('python3', ['-c', wheelHook, source, folder])
    const installed = join(folder, 'installed')
    const uv = await fetchUv()
    const wheel = join(folder, 'filmgate-0.1.0-py3-none-any.whl')
    const { code, output } = await run([uv, 'pip', 'install', '-q', '--no-cache', '--no-deps', '--target', installed, wheel])
    expect([code, output]).toEqual([0, ''])
    expect(readdirSync(join(installed, 'filmgate'))).toContain('py.typed')
    const program = 'import filmgate, filmgate.shapes; print(filmgate.__version__, filmgate.__file__)'
    const printed = await python('python3', ['-W', 'error', '-c', program], { PYTHONPATH: installed })
    expect(printed).toBe(`0.1.0 ${join(installed, 'filmgate/__init__.py')}`)
  },
  testTimeoutMs,
)
