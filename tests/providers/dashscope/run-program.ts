import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cached } from '@filmgate/tools/stack/fetch/cached'
import { fetchPinned } from '@filmgate/tools/stack/fetch/fetch-pinned'
import { ensureClient } from '@filmgate/tools/stack/fetch/package-client'
import { mustRun } from '@filmgate/tools/stack/fetch/run'
import { settings } from '../../support/settings'
import { program } from './program'

export const clientVersion = '2.0.2'

/** `given` are the arguments of a method of VideoSynthesis; `of` names the step whose task it is about. */
export type Step = { name: string; call: 'call' | 'async_call' | 'fetch' | 'wait' | 'cancel'; given: object; of?: string }
export type Answer = {
  raised?: string
  status?: number
  code?: string | null
  output?: { task_id?: string; task_status?: string; video_url?: string; code?: string } | null
  usage?: { duration?: number; SR?: number } | null
}

/** Runs the steps with DashScope's own client, unmodified: an environment variable of its own takes it to the simulator. */
export async function runProgram(steps: Step[]): Promise<Map<string, Answer>> {
  const client = await fetchClient()
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-dashscope-client-'))
  try {
    writeFileSync(join(folder, 'main.py'), program)
    writeFileSync(join(folder, 'steps.json'), JSON.stringify(steps))
    const env = {
      PYTHONPATH: client,
      DASHSCOPE_API_KEY: settings.simulatorKey,
      DASHSCOPE_HTTP_BASE_URL: `${settings.simulatorUrl}/dashscope/api/v1`,
    }
    await mustRun('DashScope’s client', ['python3', 'main.py'], { cwd: folder, env })
    return new Map(Object.entries(JSON.parse(readFileSync(join(folder, 'answers.json'), 'utf8'))))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In a folder of its own: nothing else here needs it. */
function fetchClient(): Promise<string> {
  const pin = `dashscope==${clientVersion}`
  return cached(`dashscope-client-${clientVersion}`, async filling => {
    await ensureClient('python')
    const pinned = { pin, pinnedIn: 'tests/providers/dashscope/run-program.ts', instead: 'leave the part client out' }
    await fetchPinned(pinned, [
      'python3',
      '-m',
      'pip',
      'install',
      '-q',
      '--no-compile',
      '--disable-pip-version-check',
      '--target',
      filling,
      pin,
    ])
  })
}
