import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fetchUv } from '@filmgate/tools/stack/fetch/uv'
import { openInstance } from '@filmgate/tools/stack/instance'
import { openAccount } from '../../support/client/account'
import { instance, settings } from '../../support/settings'
import type { Report } from '../../support/suite/report'
import { withoutCuts } from '../storage-line'
import { startNpmRegistry, startPythonIndex } from './registries'

const root = resolve(import.meta.dir, '../../..')
const firstVideoLinesMax = 10
const firstVideoSecondsMax = 60

/** How a stranger gets to a video: a package and the first program of its README. */
type Way = {
  name: string
  readme: string
  language: string
  file: string
  install(folder: string): string[][]
  run(file: string): string[]
}

type Registries = { npm: string; pypi: string; npmSettings: string; uv: string }

const ways = ({ npm, pypi, uv }: Registries): Way[] => [
  {
    name: 'TypeScript',
    readme: 'clients/typescript/README.md',
    language: 'ts',
    file: 'first.ts',
    install: () => [['npm', 'install', '--registry', npm, '@filmgate/client']],
    run: file => [process.execPath, file],
  },
  {
    name: 'TypeScript on Node',
    readme: 'clients/typescript/README.md',
    language: 'ts',
    file: 'first.mjs',
    install: () => [['npm', 'install', '--registry', npm, '@filmgate/client']],
    run: file => ['node', file],
  },
  {
    name: 'AI SDK',
    readme: 'clients/ai-sdk/README.md',
    language: 'ts',
    file: 'first.mjs',
    install: () => [['npm', 'install', '--registry', npm, '@filmgate/ai-sdk-provider', 'ai@7']],
    run: file => ['node', file],
  },
  {
    name: 'CLI',
    readme: 'clients/cli/README.md',
    language: 'sh',
    file: 'first.sh',
    install: () => [['npm', 'install', '--registry', npm, 'filmgate']],
    run: file => ['sh', '-e', file],
  },
  {
    name: 'Python',
    readme: 'clients/python/README.md',
    language: 'python',
    file: 'first.py',
    install: folder => [
      [uv, 'venv', '-q', join(folder, '.venv')],
      [uv, 'pip', 'install', '-q', '--python', join(folder, '.venv'), '--index', `${pypi}simple/`, 'filmgate'],
    ],
    run: file => ['.venv/bin/python', file],
  },
]

/** Everything is published to empty registries, installed from there in empty folders, and makes its first video. */
export async function prove(report: Report): Promise<void> {
  const folder = join(openInstance(instance, settings.portBase).dir, 'fresh')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const npm = await startNpmRegistry(folder)
  const pypi = await startPythonIndex(folder)
  const npmSettings = join(folder, 'npmrc')
  writeFileSync(npmSettings, `${npm.url.replace('http:', '')}:_authToken=none\n`)
  const registries = { npm: npm.url, pypi: pypi.url, npmSettings, uv: await fetchUv() }
  try {
    const words = ['clients', 'publish', '--npm', npm.url, '--pypi', pypi.url, '--pypi-index', `${pypi.url}simple/`]
    const publishing = await command([process.execPath, 'run', ...words], root, publishingEnv(registries))
    report.check('one command publishes all clients', publishing.code === 0, publishing.output)
    const again = await command([process.execPath, 'run', ...words], root, publishingEnv(registries))
    report.check('publishing again changes nothing and ends well', again.code === 0, again.output)
    // The AI SDK downloads once: what comes back from a cut is another part's.
    await withoutCuts(async () => {
      for (const way of ways(registries)) await proveWay(report, way, folder, registries)
    })
  } finally {
    await Promise.all([npm.stop(), pypi.stop()])
  }
}

const publishingEnv = ({ npmSettings }: Registries) => ({
  NPM_CONFIG_USERCONFIG: npmSettings,
  UV_PUBLISH_USERNAME: 'none',
  UV_PUBLISH_PASSWORD: 'none',
})

async function proveWay(report: Report, way: Way, parent: string, { npmSettings }: Registries): Promise<void> {
  const folder = mkdtempSync(join(parent, 'new-'))
  const { apiKey } = await openAccount()
  const env = { FILMGATE_URL: settings.url, FILMGATE_API_KEY: apiKey, NPM_CONFIG_USERCONFIG: npmSettings, NPM_CONFIG_PREFIX: folder }
  if (way.language !== 'python') writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  const from = performance.now()
  for (const install of way.install(folder)) {
    const { code, output } = await command(install, folder, env)
    report.check(`${way.name}: \`${install.slice(0, 3).join(' ')}\` ends well`, code === 0, output)
  }
  const installedAt = performance.now()
  const program = firstProgram(way)
  const lines = program.split('\n').filter(line => line.trim() !== '').length
  report.check(`${way.name}: a first video in ${firstVideoLinesMax} lines`, lines > 0 && lines <= firstVideoLinesMax, `${lines} lines`)
  writeFileSync(join(folder, way.file), program)
  const { code, output } = await command(way.run(way.file), folder, env)
  const saved = readdirSync(folder).filter(file => file.endsWith('.mp4'))
  report.check(`${way.name}: the README's first program ends well`, code === 0, output)
  report.check(
    `${way.name}: its video is there`,
    saved.some(file => isMp4(join(folder, file))),
    saved.join() || output,
  )
  const seconds = (performance.now() - from) / 1_000
  report.figure(`fresh.${way.name.replaceAll(' ', '_')}.installSeconds`, (installedAt - from) / 1_000)
  report.figure(`fresh.${way.name.replaceAll(' ', '_')}.seconds`, seconds)
  report.check(`${way.name}: from an empty folder to a video in a minute`, seconds <= firstVideoSecondsMax, `${seconds} s`)
}

function firstProgram({ readme, language }: Way): string {
  const text = readFileSync(join(root, readme), 'utf8')
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')
  const programs = [...text.matchAll(fence)].map(([, program = '']) => program)
  return programs.find(program => !/^(npm|pip|bun|uv|pnpm) /m.test(program)) ?? ''
}

const isMp4 = (file: string): boolean => readFileSync(file).subarray(4, 8).toString('latin1') === 'ftyp'

async function command(words: string[], cwd: string, env: Record<string, string>): Promise<{ code: number; output: string }> {
  const path = `${join(cwd, 'node_modules/.bin')}:${process.env.PATH}`
  const child = Bun.spawn(words, { cwd, env: { ...process.env, PATH: path, ...env }, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' })
  const [out, err] = await Promise.all([child.stdout.text(), child.stderr.text()])
  return { code: await child.exited, output: `${out}${err}`.trim().split('\n').slice(-25).join('\n') }
}
