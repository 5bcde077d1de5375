import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'

const pin = 'standardwebhooks==1.1.0'

export type Signed = { secret: string; body: string; headers: Record<string, string> }

export type PythonVerifier = { add(request: Signed): void; finish(): Promise<{ verified: number; faults: string[] }> }

/** Verifies requests as they come by the library's Python edition: a signature is believed for five minutes. */
export async function startPythonVerifier(): Promise<PythonVerifier> {
  const library = await cached(pin.replace('==', '-'), async filling => {
    await ensureClient('python')
    const command = ['python3', '-m', 'pip', 'install', '-q', '--no-compile', '--disable-pip-version-check', '--target', filling, pin]
    await fetchPinned({ pin, pinnedIn: 'tests/api/webhooks/python-verifier.ts', instead: 'leave the part webhooks out' }, command)
  })
  const child = Bun.spawn(['python3', join(import.meta.dir, 'verify.py')], {
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: library },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  return {
    add: request => void child.stdin.write(`${JSON.stringify(request)}\n`),
    async finish() {
      await child.stdin.end()
      return JSON.parse(await child.stdout.text())
    },
  }
}
