import { join } from 'node:path'
import { cached } from './cached'
import { fetchPinned, type Pinned } from './fetch-pinned'
import { fetchWheel } from './wheel'

const uvVersion = '0.13.9'

/** The program `uv`: it installs Python packages in seconds where pip takes minutes, and runs tools in environments of their own. */
export async function fetchUv(): Promise<string> {
  const script = `uv-${uvVersion}.data/scripts/uv`
  const wheel = await fetchWheel('uv', uvVersion, [script], {
    pinnedIn: 'tools/stack/fetch/uv.ts',
    instead: 'leave the tests of Python programs out',
  })
  return join(wheel, script)
}

/** A folder for PYTHONPATH with one package of PyPI and all that it needs. `name` may have extras, such as `litellm[proxy]`. */
export function fetchPythonPackage(name: string, version: string, pinInfo: Omit<Pinned, 'pin'>): Promise<string> {
  const pin = `${name}==${version}`
  return cached(`${name.replace(/\[.*/, '')}-${version}`, async filling => {
    await fetchPinned({ pin, ...pinInfo }, [await fetchUv(), 'pip', 'install', '-q', '--no-cache', '--target', filling, pin])
  })
}
