import { afterAll, expect, test } from 'bun:test'
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testClient, testKey } from './testing/client'
import { testRequest } from './testing/simulator'

const dataDir = mkdtempSync(join(tmpdir(), 'filmgate-simulator-'))
const children: Bun.Subprocess[] = []
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all(children.map(child => child.exited))
  rmSync(dataDir, { recursive: true, force: true })
})

/** The service as a process of its own, ready to be asked. */
async function startProcess(settings: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, join(import.meta.dir, 'main.ts')], {
    env: {
      ...process.env,
      PORT: '0',
      SIMULATOR_KEY: testKey,
      SIMULATOR_DATA_DIR: dataDir,
      FILMGATE_DEVELOPMENT: '1',
      FILMGATE_DRAIN_MS: '0',
      LOG_LEVEL: 'info',
      ...settings,
    },
    stdout: 'pipe',
    stderr: 'inherit',
  })
  children.push(child)
  const reader = child.stdout.getReader()
  let words = ''
  while (!/"port":(\d+)/.test(words)) {
    const { value, done } = await reader.read()
    // Without this, a child that ends early is read without end, and no timeout of the test can interrupt that.
    if (done) throw new Error(`the simulator ended before it was ready: ${words}`)
    words += Buffer.from(value).toString()
  }
  reader.cancel()
  return { child, words, client: testClient(`http://127.0.0.1:${words.match(/"port":(\d+)/)?.[1]}`) }
}

test('a killed simulator remembers what it accepted, its rules and its counts, and finishes what it began', async () => {
  const before = await startProcess()
  const finished = testRequest()
  const waiting = testRequest()
  const later = testRequest()
  await before.client.behave(waiting, [{ name: 'slow', delay_ms: 200 }])
  await before.client.behave(later, [{ name: 'refuse_content' }])
  const done = await before.client.submit(finished)
  await before.client.until(done.body.id, 'succeeded')
  const begun = await before.client.submit(waiting)
  before.child.kill('SIGKILL')
  await before.child.exited
  // What a kill in the middle of a write leaves.
  appendFileSync(join(dataDir, 'journal.jsonl'), '{"kind":"accep')

  const after = await startProcess()
  const again = await after.client.submit(waiting)
  expect([again.status, again.body.id]).toEqual([200, begun.body.id])
  expect(await after.client.submitCount(waiting)).toBe(2)
  expect((await after.client.submit(later)).status).toBe(422)
  const video = await fetch((await after.client.until(begun.body.id, 'succeeded')).output_url ?? '')
  expect(video.status).toBe(200)
  expect((await after.client.read(done.body.id)).status).toBe('succeeded')
  after.child.kill('SIGTERM')
  expect(await after.child.exited).toBe(0)
})

test('a program that is missing is named at start and keeps the simulator unready', async () => {
  const { child, client, words } = await startProcess({
    SIMULATOR_FFPROBE: 'no-such-ffprobe',
    SIMULATOR_DATA_DIR: join(dataDir, 'unready'),
  })
  expect(words).toContain('"missing":["no-such-ffprobe"]')
  const { body } = await client.submit(testRequest())
  await client.until(body.id, 'succeeded')
  const answer = await client.call('/readyz')
  expect([answer.status, await answer.json()]).toEqual([503, { status: 'starting', missing: ['ffmpeg'] }])
  child.kill('SIGTERM')
  expect(await child.exited).toBe(0)
})
