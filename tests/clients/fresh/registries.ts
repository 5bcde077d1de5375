import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { fetchPythonPackage } from '@filmgate/tools/stack/fetch/uv'
import { freePort, startProgram } from '../../support/servers/program'

/** The last that runs on Node 20. */
const verdaccioVersion = '6.7.4'
const pypiserverVersion = '2.4.2'
const pinInfo = { pinnedIn: 'tests/clients/fresh/registries.ts', instead: 'leave the part fresh out' }

export type Registry = { url: string; stop(): Promise<void> }

/** Verdaccio, empty: our packages are its own, all others come through it from the registry that npm is set to. */
export async function startNpmRegistry(folder: string): Promise<Registry> {
  const pin = `verdaccio@${verdaccioVersion}`
  const program = await cached(`verdaccio-${verdaccioVersion}`, async filling => {
    // It names node-fetch by a tag, which not every registry has.
    const manifest = { dependencies: { verdaccio: verdaccioVersion }, overrides: { 'node-fetch': '2.7.0' } }
    writeFileSync(join(filling, 'package.json'), JSON.stringify(manifest))
    await fetchPinned({ pin, ...pinInfo }, ['npm', 'install', '--no-audit', '--no-fund', '--prefix', filling])
  })
  const upstream = (await Bun.$`npm config get registry`.quiet().text()).trim()
  const ours = { access: '$all', publish: '$all', unpublish: '$all' }
  const config = {
    storage: join(folder, 'npm'),
    uplinks: { upstream: { url: upstream, timeout: '60s' } },
    packages: { '@filmgate/*': ours, filmgate: ours, '**': { access: '$all', proxy: 'upstream' } },
    auth: { htpasswd: { file: join(folder, 'htpasswd') } },
    log: { type: 'stdout', format: 'json', level: 'warn' },
  }
  const configFile = join(folder, 'verdaccio.yaml')
  // YAML has JSON in it.
  writeFileSync(configFile, JSON.stringify(config))
  const port = freePort()
  const command = ['node', join(program, 'node_modules/.bin/verdaccio'), '--config', configFile, '--listen', `127.0.0.1:${port}`]
  return started('verdaccio', command, {}, folder, `http://127.0.0.1:${port}/`, '-/ping')
}

/** pypiserver, empty, which takes uploads of everyone. */
export async function startPythonIndex(folder: string): Promise<Registry> {
  const packages = await fetchPythonPackage('pypiserver', pypiserverVersion, pinInfo)
  const files = join(folder, 'pypi')
  mkdirSync(files, { recursive: true })
  const port = freePort()
  const options = ['--interface', '127.0.0.1', '--port', `${port}`, '--authenticate', '.', '--passwords', '.', '--disable-fallback']
  const command = ['python3', '-m', 'pypiserver', 'run', ...options, files]
  return started('pypiserver', command, { PYTHONPATH: packages }, folder, `http://127.0.0.1:${port}/`, 'simple/')
}

async function started(name: string, command: string[], env: Record<string, string>, folder: string, url: string, path: string) {
  const logFile = join(folder, `${name}.log`)
  const { stop } = await startProgram({ name, command, folder, env, logFile, healthUrl: `${url}${path}` })
  return { url, stop }
}
