import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from '../stack/command/arguments'
import { StackFault } from '../stack/fault'
import { run } from '../stack/fetch/run'
import { fetchUv } from '../stack/fetch/uv'
import { buildClients } from './build'
import { builtFolder, npmClients, pythonClient, readManifest, versionFaults } from './packages'
import type { Verb } from './verb'

const publishUsage = `Usage: bun run clients publish [--npm REGISTRY] [--pypi REGISTRY] [--pypi-index INDEX]
       [--version VERSION] [--provenance] [--dry-run]

Builds all clients and publishes them: @filmgate/client, @filmgate/ai-sdk-provider, filmgate and @filmgate/mcp to the npm registry,
filmgate to the index of Python packages. A version that a registry has already is left as it is, so that a run that broke off
can be repeated.
  --npm REGISTRY    the registry's address; its token is in .npmrc, as npm wants it
  --pypi REGISTRY   the address for uploads; its token is in UV_PUBLISH_TOKEN, or UV_PUBLISH_USERNAME and
                    UV_PUBLISH_PASSWORD
  --pypi-index INDEX  where the same registry lists its packages (…/simple/): files that are there are left out
  --version VERSION the version that is expected: another one in the manifests is refused
  --provenance      (npm) a signed statement of where it was built; npm makes it in CI alone. PyPI's attestations are
                    uploaded where the CI made them
  --dry-run         build and check, publish nothing`

const options = {
  npm: { type: 'string' },
  pypi: { type: 'string' },
  'pypi-index': { type: 'string' },
  version: { type: 'string' },
  provenance: { type: 'boolean' },
  'dry-run': { type: 'boolean' },
} as const

export const publishVerb: Verb = {
  summary: 'publishes all packages to the registries that are named',
  usage: publishUsage,
  run: publishClients,
}

/** Publishes each client to the registries that are named. */
async function publishClients(words: string[]): Promise<void> {
  const { values } = readArguments({ args: words, options }, publishUsage)
  const faults = versionFaults()
  if (faults.length > 0) throw new StackFault(faults.join('\n'))
  const { version } = readManifest('typescript')
  if (values.version && values.version !== version) throw new StackFault(`The clients have version ${version}, not ${values.version}.`)
  if (!values.npm && !values.pypi && !values['dry-run']) throw new StackFault(`Name a registry.\n\n${publishUsage}`)
  await buildClients()
  if (values['dry-run']) return console.log(`built, not published: ${builtFolder}`)
  if (values.npm) await publishToNpm(values.npm, Boolean(values.provenance))
  if (values.pypi) await publishToPypi(values.pypi, values['pypi-index'])
}

async function publishToNpm(registry: string, provenance: boolean): Promise<void> {
  for (const client of npmClients) {
    const { name, version } = readManifest(client)
    const there = await run(['npm', 'view', `${name}@${version}`, 'version', '--registry', registry])
    if (there.code === 0 && there.output.trim() !== '') {
      console.log(`${name} ${version} is there already`)
      continue
    }
    const command = ['npm', 'publish', join(builtFolder, client), '--registry', registry, ...(provenance ? ['--provenance'] : [])]
    await mustPublish(`${name} ${version}`, command)
  }
}

async function publishToPypi(registry: string, index: string | undefined): Promise<void> {
  const folder = join(builtFolder, pythonClient)
  const files = readdirSync(folder)
    .filter(file => /\.(whl|tar\.gz)$/.test(file))
    .map(file => join(folder, file))
  await mustPublish('filmgate for Python', [
    await fetchUv(),
    'publish',
    '--publish-url',
    registry,
    ...(index ? ['--check-url', index] : []),
    ...files,
  ])
}

async function mustPublish(what: string, command: string[]): Promise<void> {
  const { code, output } = await run(command)
  if (code !== 0) throw new StackFault(`${what} was not published:\n${output.trim()}`)
  console.log(`${what} is published`)
}
