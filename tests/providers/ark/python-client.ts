import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'
import { settings } from '../../support/settings'

/** What `volcengine-python-sdk[ark]` has for Ark. */
export const clientVersion = '5.0.54'

export type Task = {
  id: string
  status?: string
  safety_identifier?: string
  content?: { video_url?: string }
  usage?: { completion_tokens?: number }
  error?: { code?: string } | null
}
export type Refusal = { kind: string; status: number | null; code: string | null; param: string | null }
/** Lists have `items`; everything else is a task. */
export type Answer = { result?: Task & { items?: Task[]; total?: number }; error?: Refusal }

export type Options = { api_key?: string; max_retries?: number }
export type ArkClient = {
  call(method: 'create' | 'get' | 'list', given: Record<string, unknown>, options?: Options): Promise<Answer>
  stop(): Promise<void>
}

function fetchClient(): Promise<string> {
  const pin = `volcengine-ark-runtime==${clientVersion}`
  return cached(`volcengine-ark-runtime-${clientVersion}`, async filling => {
    await ensureClient('python')
    const command = ['python3', '-m', 'pip', 'install', '-q', '--no-compile', '--disable-pip-version-check', '--target', filling, pin]
    const pinned = { pin, pinnedIn: 'tests/providers/ark/python-client.ts', instead: 'leave the part client out' }
    await fetchPinned(pinned, command)
  })
}

/** Ark's own client in a process of its own, with the simulator's fake for its address. It repeats nothing unless it is told to. */
export async function startArkClient(): Promise<ArkClient> {
  const child = Bun.spawn(['python3', join(import.meta.dir, 'drive.py')], {
    env: { PATH: process.env.PATH ?? '', PYTHONPATH: await fetchClient(), ARK_FAKE: `${settings.simulatorUrl}/ark/api/v3` },
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  return {
    async call(method, given, options = {}) {
      const client = { api_key: settings.simulatorKey, max_retries: 0, ...options }
      child.stdin.write(`${JSON.stringify({ client, method, arguments: given })}\n`)
      await child.stdin.flush()
      const { value, done } = await lines.next()
      if (done) throw new Error('Ark’s client ended')
      return JSON.parse(value)
    },
    async stop() {
      await child.stdin.end()
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string, void> {
  let rest = ''
  for await (const text of stream.pipeThrough(new TextDecoderStream())) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
  }
}
