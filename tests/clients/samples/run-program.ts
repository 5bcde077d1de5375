import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { run } from '@filmgate/tools/stack/fetch/run'
import { openAccount } from '../../support/client/account'
import { sampleBytes } from '../../support/client/sample-media'
import { settings } from '../../support/settings'
import type { Packages } from './packages'
import type { Language, Program } from './programs'

const root = resolve(import.meta.dir, '../../..')
const programMs = 240_000

const programFiles: Record<Language, string> = { sh: 'program.sh', ts: 'program.ts', python: 'program.py' }
/** Files of the user's, by the names that programs have for them. */
const files = { 'boat.jpg': 'boat.jpg', 'clip.mp4': 'clip-4.2s.mp4' }
const commands: Record<Language, string[]> = { sh: ['bash'], ts: [process.execPath], python: ['python3'] }

/** A folder as a new user has it, with an account of its own. Below the project, so that packages of the cache are found. */
export async function freshFolder(packages: Packages) {
  mkdirSync(join(root, '.local'), { recursive: true })
  const folder = mkdtempSync(join(root, '.local/sample-'))
  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}')
  packages.install(folder)
  const account = await openAccount({ credits: 100_000 })
  const env = {
    ...packages.python,
    ...{
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
      HOME: folder,
      XDG_CONFIG_HOME: join(folder, 'config'),
      NO_COLOR: '1',
      PYTHONUTF8: '1',
    },
    ...{ FILMGATE_API_KEY: account.apiKey, FILMGATE_URL: settings.url, WEBHOOK_URL: 'https://example.com/filmgate' },
    npm_config_update_notifier: 'false',
  }
  mkdirSync(join(folder, '.local'))
  writeFileSync(join(folder, '.local/filmgate.env'), '')
  for (const [file, sample] of Object.entries(files)) writeFileSync(join(folder, file), await sampleBytes(sample))
  return { folder, account, env, [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }) }
}

export type Fresh = Awaited<ReturnType<typeof freshFolder>>

/** How to start a program there. */
export function commandOf({ language, text }: Program, { folder }: Fresh): string[] {
  const file = join(folder, programFiles[language])
  writeFileSync(file, text)
  return [...commands[language], file]
}

/** Runs a program by itself; its last words where it went wrong. */
export async function runProgram(program: Program, packages: Packages): Promise<string | undefined> {
  using fresh = await freshFolder(packages)
  const { code, output } = await run(commandOf(program, fresh), { cwd: fresh.folder, env: fresh.env, timeoutMs: programMs })
  if (code !== 0) return `status ${code}: ${output.slice(-2_000)}`
  return program.saves && (await faultOfVideo(join(fresh.folder, program.saves)))
}

/** Why a file is no video that plays to its end. */
export async function faultOfVideo(path: string): Promise<string | undefined> {
  if (!existsSync(path)) return `there is no ${path}`
  const probe = ['ffprobe', '-v', 'error', '-select_streams', 'v', '-show_entries', 'stream=codec_type', '-of', 'csv=p=0', path]
  const probed = await run(probe)
  if (probed.output !== 'video') return `ffprobe finds no picture: ${probed.output}`
  const decoded = await run(['ffmpeg', '-nostdin', '-v', 'error', '-i', path, '-f', 'null', '-'])
  return decoded.code === 0 && decoded.output === '' ? undefined : `it does not play: ${decoded.output}`
}
