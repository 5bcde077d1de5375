import { join, resolve } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { fetchUv } from '@filmgate/tools/stack/fetch/uv'

const root = resolve(import.meta.dir, '../..')
/** All that the client depends on. */
const httpxVersion = '0.28.1'

/** Python with the client's source and what it depends on. */
export async function pythonWithClient(): Promise<{ python: string; env: Record<string, string> }> {
  const pin = `httpx==${httpxVersion}`
  const packages = await cached(`httpx-${httpxVersion}`, async filling => {
    const command = [await fetchUv(), 'pip', 'install', '-q', '--no-cache', '--target', filling, pin]
    await fetchPinned({ pin, pinnedIn: 'tests/clients/python.ts', instead: 'leave the part chaos out' }, command)
  })
  return { python: 'python3', env: { PYTHONPATH: [join(root, 'clients/python/src'), packages].join(':'), PYTHONDONTWRITEBYTECODE: '1' } }
}
