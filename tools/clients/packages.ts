import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../stack/instance'

/** The clients for npm; a later one may depend on an earlier one. */
export const npmClients = ['typescript', 'ai-sdk', 'cli', 'mcp'] as const
export type NpmClient = (typeof npmClients)[number]
/** The client for PyPI. */
export const pythonClient = 'python'

/** Where built packages are: a folder for each of npm, and `python/` with an archive and a wheel. */
export const builtFolder = join(root, '.local/clients')
export const sourceFolder = (client: string): string => join(root, 'clients', client)

export type Manifest = {
  name: string
  version: string
  exports?: Record<string, string>
  bin?: Record<string, string>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  engines?: { node: string }
}

export const readManifest = (client: NpmClient): Manifest =>
  JSON.parse(readFileSync(join(sourceFolder(client), 'package.json'), 'utf8')) as Manifest

/** Of PyPI's package, by its pyproject.toml. */
export function pythonVersion(): string {
  const text = readFileSync(join(sourceFolder(pythonClient), 'pyproject.toml'), 'utf8')
  return /^version *= *"([^"]+)"/m.exec(text)?.[1] ?? ''
}

/** All clients have one version; the packages that differ from the first. */
export function versionFaults(): string[] {
  const version = readManifest('typescript').version
  const all = [
    ...npmClients.map(client => ({ client, version: readManifest(client).version })),
    { client: pythonClient, version: pythonVersion() },
  ]
  return all.filter(each => each.version !== version).map(each => `clients/${each.client} has version ${each.version}, not ${version}`)
}
