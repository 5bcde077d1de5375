import { afterEach, expect, test } from 'bun:test'
import { existsSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { foldersOf } from '../config/folders'
import { connect, type Session } from '../session'
import { listPending, type PendingGeneration, savePending } from '../state/pending-generation'
import { explain } from '../terminal/explain'
import { createTerminal } from '../terminal/terminal'
import { follow } from './follow'
import { forget, resume } from './resume'

type Answer = { status?: number; body?: object; headers?: Record<string, string>; cut?: true; video?: string }
type Routes = (method: string, path: string, count: number) => Answer

const servers: { stop(force: boolean): unknown }[] = []
afterEach(() => Promise.all(servers.splice(0).map(server => server.stop(true))))

const at = '2026-11-26T12:00:00.000Z'
const refused = (status: number, code: string, details?: object): Answer => ({ status, body: { error: { code, message: code, details } } })

/** A gateway of these answers, a home with these generations, and what is said. `posts`: keys of the POSTs that came. */
async function home(routes: Routes, ...pending: Partial<PendingGeneration>[]) {
  const posts: (string | null)[] = []
  const counts = new Map<string, number>()
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      const path = new URL(request.url).pathname.replace('/api/v1', '')
      if (request.method === 'POST') posts.push(request.headers.get('idempotency-key'))
      if (path === '/keys/self') return Response.json({ key_id: 'key_1' })
      const count = (counts.get(path) ?? 0) + 1
      counts.set(path, count)
      const { status = 200, body, headers = {}, cut, video } = routes(request.method, path, count)
      if (cut) return new Response('{"id":', { headers: { 'content-type': 'application/json' } })
      if (video !== undefined) return new Response(video, { status })
      return Response.json(body, { status, headers })
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}/api/v1`
  const folder = mkdtempSync(join(tmpdir(), 'filmgate-cli-'))
  const folders = foldersOf({}, folder)
  let err = ''
  const stderr = { write: (text: string) => (err += text) }
  const session: Session = {
    terminal: createTerminal({ stdin: {}, stdout: { write: () => {} }, stderr }, {}, false),
    environment: {},
    folders,
    given: { url, key: 'sk_live_test' },
    signal: new AbortController().signal,
    onInterrupt: () => {},
  }
  const request = { model: 'alpha-h3', prompt: 'A boat' }
  for (const [index, changes] of pending.entries())
    await savePending(folders, {
      ...{
        idempotencyKey: `cli-${index + 1}`,
        url,
        keyId: 'key_1',
        request,
        createdAt: `2026-11-26T10:00:0${index}.000Z`,
        pid: process.pid,
      },
      ...changes,
    })
  const left = async () => (await listPending(folders)).map(({ idempotencyKey, taskId }) => [idempotencyKey, taskId])
  return { session, folder, posts, left, err: () => err, url }
}

const completed = (id: string, base = 'http://127.0.0.1:9') => ({
  ...{ id, status: 'completed', model: 'alpha-h3', mode: 'text-to-video', credits_used: 40, credits_refunded: 0 },
  ...{ output: { video_url: `${base}/video.mp4` }, error: null, created_at: at, updated_at: at, billing_status: 'settled' },
})
const taskOf = (path: string): string => /vt_\d+/.exec(path)?.[0] ?? 'vt_1'

test('a key that is revoked after a POST was cut leaves the record, also where an earlier call sent that POST', async () => {
  const revoked: Routes = (method, _, count) => (method === 'POST' && count === 1 ? { cut: true } : refused(401, 'invalid_api_key'))
  const cut = await home(revoked, {})
  const error = await resume(cut.session, {}).catch((error: unknown) => error)
  expect([cut.posts, await cut.left(), explain(error).exit]).toEqual([['cli-1', 'cli-1'], [['cli-1', undefined]], 5])
  expect(explain(error).error).toMatchObject({ outcome_unknown: true, idempotency_key: 'cli-1' })
  const atOnce = await home(() => refused(401, 'invalid_api_key'), {})
  await resume(atOnce.session, {}).catch(() => {})
  expect(await atOnce.left()).toEqual([['cli-1', undefined]])
  const definite = await home(() => refused(402, 'insufficient_credits'), {})
  await resume(definite.session, {}).catch(() => {})
  expect(await definite.left()).toEqual([])
})

test('a task that is known is followed without a POST, and is kept until its end is seen', async () => {
  const known = await home(() => refused(401, 'invalid_api_key'), { taskId: 'vt_1' })
  await resume(known.session, {}).catch(() => {})
  expect([known.posts, await known.left()]).toEqual([[], [['cli-1', 'vt_1']]])
  const uncertain = await home(
    method => (method === 'POST' ? refused(503, 'acceptance_uncertain', { task_id: 'vt_7' }) : refused(401, 'invalid_api_key')),
    {},
  )
  await resume(uncertain.session, {}).catch(() => {})
  expect(await uncertain.left()).toEqual([['cli-1', 'vt_7']])
})

test('one that can not go on keeps no other from its turn, and says how to go on with it', async () => {
  const routes: Routes = (_, path) => ({
    ...(path.startsWith('/tasks/vt_2') ? refused(404, 'task_not_found') : { body: completed(taskOf(path)) }),
  })
  const { session, folder, left, err } = await home(routes, { taskId: 'vt_1', output: '' }, { taskId: 'vt_2' }, { taskId: 'vt_3' })
  const taken = join(folder, 'boat.mp4')
  writeFileSync(taken, 'mine')
  const [first] = await listPending(session.folders)
  if (first) await savePending(session.folders, { ...first, output: taken })
  const error = await resume(session, {}).catch((error: unknown) => error)
  expect(await left()).toEqual([
    ['cli-1', 'vt_1'],
    ['cli-2', 'vt_2'],
  ])
  expect(explain(error)).toMatchObject({ exit: 2, message: '2 of 3 have not come to their end.' })
  for (const words of ['--resume vt_1 -o FILE', '--resume vt_1 --force', '--forget vt_1']) expect(err()).toContain(words)
  await forget(session, 'vt_1')
  expect(await left()).toEqual([['cli-2', 'vt_2']])
})

test('one of several is resumed by its name, to the file that is named', async () => {
  const routes: Routes = (_, path) => (path === '/video.mp4' ? { video: 'bytes' } : { body: completed(taskOf(path), base) })
  const { session, folder, left, url } = await home(routes, { taskId: 'vt_1' }, { taskId: 'vt_2' })
  const base = url.replace('/api/v1', '')
  const output = join(folder, 'two.mp4')
  expect(explain(await resume(session, { output }).catch((error: unknown) => error)).hints[0]).toContain('--resume vt_1 -o')
  await resume(session, { output }, 'vt_2')
  expect([existsSync(output), await left()]).toEqual([true, [['cli-1', 'vt_1']]])
})

test('what another process waits for is left alone, and how to go on without it is said', async () => {
  const { session, err } = await home(() => refused(500, 'internal_error'), {
    taskId: 'vt_1',
    output: '/tmp/boat.mp4',
    pid: process.ppid,
    createdAt: new Date().toISOString(),
  })
  await resume(session, {}).catch(() => {})
  expect(err()).toContain(`process ${process.ppid} waits for it: vt_1`)
  expect(err()).toContain('filmgate tasks wait vt_1 -o /tmp/boat.mp4')
})

test('a video that could not be saved is said to be there, and is kept', async () => {
  const routes: Routes = (_, path) => (path === '/video.mp4' ? { status: 404, video: '' } : { body: completed('vt_1', base) })
  const { session, folder, left, err, url } = await home(routes, { taskId: 'vt_1' })
  const base = url.replace('/api/v1', '')
  const { filmgate } = await connect(session)
  const path = join(folder, 'boat.mp4')
  const error = await follow(session, filmgate, 'vt_1', { path, isFolder: false, force: false }).catch((error: unknown) => error)
  expect(explain(error)).toMatchObject({ exit: 1, message: expect.stringMatching(/^(?!.*wait\(').*did not arrive whole/) })
  expect(err()).toContain(`The video is there, and is paid. Save it by: filmgate tasks wait vt_1 -o ${path}`)
  expect(err()).not.toContain('The task goes on')
  expect(await left()).toEqual([['cli-1', 'vt_1']])
}, 20_000)
