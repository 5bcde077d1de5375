import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'
import { mustRun } from '@filmgate/tools/stack/fetch/run'
import { fetchUv } from '@filmgate/tools/stack/fetch/uv'
import { fetchOpenAiPython } from '../../api/openai/python-client'
import { pythonWithClient } from '../python'

const root = resolve(import.meta.dir, '../../..')
const built = join(root, '.local/clients')

export type Packages = { install(folder: string): void; python: Record<string, string> }

/**
 * The clients as `bun run clients build` made them, if that was after the last change of their sources; else the sources. What they depend on is
 * found in the folders above, what is of Python in the cache.
 */
export async function findPackages(): Promise<Packages> {
  const isBuilt = existsSync(built) && newest(built) > newest(join(root, 'clients'))
  await ensureClient('curl')
  await ensureClient('jq')
  const openAi = await fetchOpenAiPython()
  return {
    install: folder => {
      for (const client of ['typescript', 'ai-sdk', 'cli', 'mcp']) installNpm(folder, client, isBuilt)
    },
    python: { PYTHONPATH: [await pythonClient(isBuilt), openAi].join(delimiter), PYTHONDONTWRITEBYTECODE: '1' },
  }
}

function installNpm(folder: string, client: string, isBuilt: boolean): void {
  const source = join(isBuilt ? built : join(root, 'clients'), client)
  const { name, bin = {} } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8')) as {
    name: string
    bin?: Record<string, string>
  }
  const target = join(folder, 'node_modules', name)
  mkdirSync(dirname(target), { recursive: true })
  if (isBuilt) cpSync(source, target, { recursive: true })
  else symlinkSync(source, target)
  mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
  for (const [command, file] of Object.entries(bin)) {
    const path = join(folder, 'node_modules/.bin', command)
    writeFileSync(path, `#!/bin/sh\nexec "${isBuilt ? 'node' : process.execPath}" "${join(target, file)}" "$@"\n`)
    chmodSync(path, 0o755)
  }
}

async function pythonClient(isBuilt: boolean): Promise<string> {
  const folder = join(built, 'python')
  const wheel = isBuilt ? readdirSync(folder).find(file => file.endsWith('.whl')) : undefined
  if (!wheel) return (await pythonWithClient()).env.PYTHONPATH ?? ''
  return cached(`filmgate-python-${statSync(join(folder, wheel)).mtimeMs}`, async filling => {
    await mustRun('Installing the wheel', [await fetchUv(), 'pip', 'install', '-q', '--target', filling, join(folder, wheel)])
  })
}

/** When something in a folder last changed, in milliseconds. */
const newest = (folder: string): number =>
  Math.max(
    ...[...new Bun.Glob('**/*').scanSync(folder)]
      .filter(file => !/(^|\/)(node_modules|__pycache__)\//.test(file))
      .map(file => statSync(join(folder, file)).mtimeMs),
  )
