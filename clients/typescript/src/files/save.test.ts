import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Filmgate, type FilmgateError } from '../index.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { ended, type Seen, startGateway, video } from '../testing/gateway.ts'

let folder: string
let path: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
  path = join(folder, 'boat.mp4')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** Saves a video whose store answers so, one after another, then as it should; `urls` are those of the task at each reading. */
async function saveFrom(answers: ((answer: ServerResponse) => unknown)[], urls: string[] = []) {
  const reads: string[] = []
  await using gateway = await startGateway((seen, answer) => {
    if (seen.path.startsWith('/api/')) reads.push(seen.path)
    if (!seen.path.startsWith('/video') && !seen.path.startsWith('/renewed')) return false
    const next = answers.shift()
    if (next) next(answer)
    else if (seen.path === '/renewed.mp4') answer.writeHead(200, { 'content-length': String(video.length) }).end(video)
    return next !== undefined || seen.path === '/renewed.mp4'
  })
  const base = `http://127.0.0.1:${gateway.port}`
  const task = ended('vt_1', base)
  gateway.tasks.set('k', task)
  using _ = fastClock(50)
  const made = await new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url }).wait(task)
  if (urls.length > 0) gateway.state.instead = moved(gateway.state.instead, () => ({ ...task, output: { video_url: `${base}${urls[0]}` } }))
  const error = await made.save(path).catch((error: FilmgateError) => error)
  const fetched = gateway.seen.filter(({ path }) => !path.startsWith('/api/'))
  return { error, reads, fetched, files: await readdir(folder) }
}

const moved =
  (instead: ((seen: Seen, answer: ServerResponse) => boolean | undefined) | undefined, task: () => object) =>
  (seen: Seen, answer: ServerResponse) => {
    if (!seen.path.startsWith('/api/v1/tasks/')) return instead?.(seen, answer)
    answer.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(task()))
    return true
  }

const cutAt =
  (bytes: number, headers: Record<string, string> = { etag: '"v1"' }) =>
  (answer: ServerResponse) => {
    answer.writeHead(200, { 'content-length': String(video.length), ...headers })
    answer.write(video.subarray(0, bytes), () => setTimeout(() => answer.destroy(), 5_000))
  }

test('a download that is cut goes on where it was, and without a strong ETag begins anew', async () => {
  const resumed = await saveFrom([cutAt(100)])
  expect([resumed.error, resumed.files]).toEqual([undefined, ['boat.mp4']])
  expect(resumed.fetched.map(({ headers }) => [headers.range, headers['if-range'], headers.authorization])).toEqual([
    [undefined, undefined, undefined],
    ['bytes=100-', '"v1"', undefined],
  ])
  expect(await readFile(path)).toEqual(video)
  for (const headers of [{}, { etag: 'W/"v1"' }] as Record<string, string>[]) {
    const again = await saveFrom([cutAt(100, headers)])
    expect([again.error, again.fetched.map(({ headers }) => headers.range)]).toEqual([undefined, [undefined, undefined]])
    expect(await readFile(path)).toEqual(video)
  }
})

test('a store that answers a range with the whole, or with another part, leaves the right bytes', async () => {
  const whole = (answer: ServerResponse) => answer.writeHead(200, { 'content-length': String(video.length), etag: '"v2"' }).end(video)
  const other = (answer: ServerResponse) =>
    answer.writeHead(206, { 'content-range': 'bytes 7-399/400', etag: '"v1"' }).end(video.subarray(7))
  const none = (answer: ServerResponse) => answer.writeHead(416, { 'content-range': 'bytes */50' }).end()
  for (const answer of [whole, other, none]) {
    const { error } = await saveFrom([cutAt(100), answer])
    expect(error).toBeUndefined()
    expect(await readFile(path)).toEqual(video)
  }
})

test('an address that is over is read anew from the task', async () => {
  const over = (answer: ServerResponse) => answer.writeHead(403).end('expired')
  const { error, fetched } = await saveFrom([over], ['/renewed.mp4'])
  expect([error, fetched.map(({ path }) => path)]).toEqual([undefined, ['/video.mp4', '/renewed.mp4']])
  expect(await readFile(path)).toEqual(video)
})

test('a video that is gone, or a disk that refuses, leaves what was there and no part, and says how to go on', async () => {
  await writeFile(path, 'mine')
  const gone = (answer: ServerResponse) => answer.writeHead(404).end()
  const { error, files } = await saveFrom([gone, gone, gone, gone])
  expect(error).toMatchObject({ code: 'save_failed', taskId: 'vt_1', message: expect.stringContaining("wait('vt_1')") })
  expect([files, await readFile(path, 'utf8')]).toEqual([['boat.mp4'], 'mine'])
  path = join(folder, 'no', 'such', 'folder.mp4')
  expect((await saveFrom([])).error).toMatchObject({ code: 'save_failed', message: expect.stringContaining('ENOENT') })
})

test('an address that is none of the web is no video', async () => {
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: 'http://127.0.0.1:9/api/v1' })
  for (const video_url of ['file:///etc/passwd', 'data:video/mp4,x', '']) {
    const task = { ...ended('vt_1', 'x'), output: { video_url } }
    expect(await filmgate.wait(task).catch((error: unknown) => error)).toMatchObject({ code: 'no_video', taskId: 'vt_1' })
  }
})

test('an answer that ends short of its length, without any error, is not taken for the whole', async () => {
  let fetches = 0
  const short = async () => {
    const part = fetches++ < 2 ? video.subarray(0, 100) : video
    return new Response(new Uint8Array(part), { headers: { 'content-length': String(video.length) } })
  }
  using _ = fastClock(50)
  const made = await new Filmgate({ apiKey: 'sk_live_test', baseUrl: 'http://127.0.0.1:9/api/v1', fetch: short }).wait(
    ended('vt_1', 'http://x'),
  )
  await made.save(path)
  expect([fetches, await readFile(path)]).toEqual([3, video])
})

test('a file that could not be written, and a folder, are told before anything is charged', async () => {
  await using gateway = await startGateway()
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: gateway.url })
  for (const saveTo of [join(folder, 'no', 'folder.mp4'), `${folder}/videos/`, `${folder}/`, folder, '', '.']) {
    const error = await filmgate.generate({ model: 'alpha-h3', prompt: 'A boat' }, { saveTo }).catch((error: FilmgateError) => error)
    expect([saveTo, error, gateway.seen]).toMatchObject([saveTo, { code: 'save_failed' }, []])
  }
})

test('a video that takes longer than a quarter of an hour arrives as long as bytes do', async () => {
  let seconds = 0
  let sent = 0
  const slow = async () => {
    const pull = async (body: ReadableStreamDefaultController<Uint8Array>) => {
      seconds += 25
      await Bun.sleep(2)
      if (sent >= video.length) return body.close()
      body.enqueue(new Uint8Array(video.subarray(sent, sent + 4)))
      sent += 4
    }
    return new Response(new ReadableStream({ pull }), { headers: { 'content-length': String(video.length) } })
  }
  const now = spyOn(performance, 'now').mockImplementation(() => seconds * 1_000)
  const filmgate = new Filmgate({ apiKey: 'sk_live_test', baseUrl: 'http://127.0.0.1:9/api/v1', fetch: slow })
  const made = await filmgate.wait(ended('vt_1', 'http://x'))
  await made.save(path).finally(() => now.mockRestore())
  expect([seconds > 1_800, await readFile(path)]).toEqual([true, video])
})
