import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build as bundle } from 'tsdown'
import { mustRun } from '../stack/fetch/run'
import { fetchUv } from '../stack/fetch/uv'
import { builtFolder, type Manifest, type NpmClient, npmClients, pythonClient, readManifest, sourceFolder } from './packages'
import type { Verb } from './verb'

const withSource = ['README.md', 'CHANGELOG.md', 'LICENSE']

export const buildVerb: Verb = {
  summary: 'builds all packages as they are published, into .local/clients',
  usage: 'Usage: bun run clients build\n\nBuilds all packages as they are published, into .local/clients: a folder a package.',
  run: buildClients,
}

/** Builds all packages as they are published, into `.local/clients`. */
export async function buildClients(): Promise<void> {
  rmSync(builtFolder, { recursive: true, force: true })
  for (const client of npmClients) {
    console.log(`building ${readManifest(client).name} …`)
    await buildForNpm(client)
  }
  console.log('building filmgate for PyPI …')
  const out = join(builtFolder, pythonClient)
  await mustRun('Building the Python client', [await fetchUv(), 'build', '-q', '--out-dir', out, sourceFolder(pythonClient)])
}

export async function buildForNpm(client: NpmClient): Promise<void> {
  const source = sourceFolder(client)
  const out = join(builtFolder, client)
  const manifest = readManifest(client)
  mkdirSync(out, { recursive: true })
  const files = [...Object.values(manifest.exports ?? {}), ...Object.values(manifest.bin ?? {})]
  await bundle({
    cwd: source,
    config: false,
    entry: files,
    outDir: join(out, 'dist'),
    format: 'esm',
    platform: client === 'cli' || client === 'mcp' ? 'node' : 'neutral',
    target: 'es2022',
    dts: Boolean(manifest.exports),
    fixedExtension: false,
    logLevel: 'error',
  })
  for (const file of withSource) cpSync(join(source, file), join(out, file))
  writeFileSync(join(out, 'package.json'), `${JSON.stringify(publishedManifest(manifest), null, 2)}\n`)
}

/** What differs from the workspace's manifest: it names what was built, and other clients by their version. */
export function publishedManifest({ devDependencies: _, ...manifest }: Manifest): object {
  const built = (file: string) => file.replace('./src/', './dist/').replace(/\.ts$/, '.js')
  return {
    ...manifest,
    ...(manifest.exports && {
      exports: Object.fromEntries(
        Object.entries(manifest.exports).map(([path, file]) => [
          path,
          { types: built(file).replace(/\.js$/, '.d.ts'), default: built(file) },
        ]),
      ),
    }),
    ...(manifest.bin && { bin: Object.fromEntries(Object.entries(manifest.bin).map(([name, file]) => [name, built(file)])) }),
    ...(manifest.dependencies && { dependencies: outsideWorkspace(manifest.dependencies, manifest.version) }),
    files: ['dist', 'CHANGELOG.md'],
    // The AI SDK asks for a later Node than our own files.
    engines: manifest.engines ?? { node: '>=20.16' },
    publishConfig: { access: 'public' },
  }
}

const outsideWorkspace = (dependencies: Record<string, string>, version: string): Record<string, string> =>
  Object.fromEntries(Object.entries(dependencies).map(([name, range]) => [name, range.startsWith('workspace:') ? version : range]))
