import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'

const packages = {
  'openapi-typescript': '7.13.0',
  'openapi-fetch': '0.17.0',
  '@hey-api/openapi-ts': '0.99.0',
  '@stoplight/spectral-cli': '6.16.3',
  '@redocly/cli': '2.77.0',
  typescript: '5.9.3',
}
const pythonVersion = '0.29.1'
const pinnedIn = 'tests/catalog/clients/tools.ts'
const instead = 'leave the part clients out'

export type Tools = { npm: string; python: string }

/** The generators and linters, in folders of their own: the project needs none of them. */
export async function fetchTools(): Promise<Tools> {
  const [npm, python] = await Promise.all([fetchNpm(), fetchPython()])
  return { npm, python }
}

function fetchNpm(): Promise<string> {
  const pins = Object.entries(packages).map(([name, version]) => `${name}@${version}`)
  return cached(`api-clients-${Bun.hash(pins.join()).toString(36)}`, async filling => {
    writeFileSync(join(filling, 'package.json'), '{"private":true,"type":"module"}')
    const pinned = { pin: pins.join(', '), pinnedIn, instead }
    await fetchPinned(pinned, [process.execPath, 'add', '-E', '--ignore-scripts', ...pins], { cwd: filling })
  })
}

function fetchPython(): Promise<string> {
  const pin = `openapi-python-client==${pythonVersion}`
  return cached(`openapi-python-client-${pythonVersion}`, async filling => {
    await ensureClient('python')
    const command = ['python3', '-m', 'pip', 'install', '-q', '--no-compile', '--disable-pip-version-check', '--target', filling, pin]
    await fetchPinned({ pin, pinnedIn, instead }, command)
  })
}
