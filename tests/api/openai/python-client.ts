import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'

/** Of PyPI, while it has videos. */
export const pythonVersion = '3.57.0'

/** A folder with OpenAI's client in Python and what it needs. */
export function fetchOpenAiPython(): Promise<string> {
  const pin = `openai==${pythonVersion}`
  return cached(`openai-python-${pythonVersion}`, async filling => {
    await ensureClient('python')
    const command = ['python3', '-m', 'pip', 'install', '-q', '--no-compile', '--disable-pip-version-check', '--target', filling, pin]
    await fetchPinned({ pin, pinnedIn: 'tests/api/openai/python-client.ts', instead: 'leave the part openai out' }, command)
  })
}

/** What drive.py prints of these calls. */
export async function runOpenAiPython<T>(calls: object, env: { apiKey: string; url: string }): Promise<T> {
  const folder = await fetchOpenAiPython()
  const child = Bun.spawn(['python3', join(import.meta.dir, 'drive.py')], {
    env: {
      PATH: process.env.PATH ?? '',
      PYTHONPATH: folder,
      OPENAI_API_KEY: env.apiKey,
      OPENAI_BASE_URL: env.url,
      PYTHONWARNINGS: 'ignore',
    },
    stdin: new TextEncoder().encode(JSON.stringify(calls)),
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const text = await child.stdout.text()
  if ((await child.exited) !== 0) throw new Error(`drive.py ended with ${child.exitCode}`)
  return JSON.parse(text)
}
