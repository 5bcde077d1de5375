import { join, resolve } from 'node:path'
import { fetchPythonPackage } from '@filmgate/tools/stack/fetch/uv'

const root = resolve(import.meta.dir, '../..')
/** All that the client depends on. */
const httpxVersion = '0.28.1'

/** Python with the client's source and what it depends on. */
export async function pythonWithClient(): Promise<{ python: string; env: Record<string, string> }> {
  const pinInfo = { pinnedIn: 'tests/clients/python.ts', instead: 'leave the part chaos out' }
  const packages = await fetchPythonPackage('httpx', httpxVersion, pinInfo)
  return { python: 'python3', env: { PYTHONPATH: [join(root, 'clients/python/src'), packages].join(':'), PYTHONDONTWRITEBYTECODE: '1' } }
}
