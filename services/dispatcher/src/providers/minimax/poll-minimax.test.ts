import { afterAll, expect, test } from 'bun:test'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { generating, queued } from '../mapping/running'
import { connectMiniMax } from './connect-minimax'

const servers: { stop(abrupt: boolean): unknown }[] = []
afterAll(() => servers.forEach(server => void server.stop(true)))

/** MiniMax, answering each path as told, and everything else with 404. */
function answering(answers: Record<string, Response>): { provider: Connector; asked: string[] } {
  const asked: string[] = []
  const server = Bun.serve({
    port: 0,
    fetch(request) {
      const { pathname, search } = new URL(request.url)
      asked.push(`${request.method} ${pathname}${search} ${request.headers.get('authorization')}`)
      return (answers[`${pathname}${search}`]?.clone() as Response | undefined) ?? new Response('404 page not found', { status: 404 })
    },
  })
  servers.push(server)
  const url = `http://127.0.0.1:${server.port}`
  return { provider: connectMiniMax({ url, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000 }), asked }
}

const { signal } = new AbortController()
const id = '424010985738629'
const fileId = '176844028768320'
const url = 'https://video-product.cdn.minimax.io/inference_output/output.mp4'
const ofH3 = { attemptId: 'at_1', providerTaskId: id, providerModel: 'MiniMax-H3', echoed: false }
const ofHailuo = { ...ofH3, providerModel: 'MiniMax-Hailuo-2.3-Fast' }
const taskPath = `/v2/query/video_generation/${id}`
const statusPath = `/v1/query/video_generation?task_id=${id}`
const filePath = `/v1/files/retrieve?file_id=${fileId}`

const json = (status: number, body: unknown) => Response.json(body, { status })
const task = (status: string, more: object = {}) =>
  json(200, { task: { id, model: 'MiniMax-H3', status, task_type: 'generation', ...more } })
const base = (code: number) => ({ base_resp: { status_code: code, status_msg: 'words' } })
const status = (word: string, code = 0, more: object = { file_id: '' }) => json(200, { task_id: id, status: word, ...more, ...base(code) })
const error = (code: number, words: string) =>
  json(code, { type: 'error', error: { type: 'server_error', message: words, http_code: String(code) } })

const pollH3 = async (answer: Response) => (await answering({ [taskPath]: answer }).provider.poll([ofH3], signal))[0]
const pollHailuo = async (answer: Response, file?: Response) =>
  (await answering({ [statusPath]: answer, ...(file && { [filePath]: file }) }).provider.poll([ofHailuo], signal))[0]

test('a task of H3’s has its video’s address in it, on the path of its id', async () => {
  const { provider, asked } = answering({ [taskPath]: task('succeeded', { content: { url }, usage: { total_seconds: 5 } }) })
  expect(await provider.poll([ofH3], signal)).toEqual([{ status: 'succeeded', outputUrl: url, billed: { microUnits: 5_000_000 } }])
  expect(asked).toEqual([`GET ${taskPath} Bearer the-key`])
  for (const word of ['queued', 'running'])
    expect(await pollH3(task(word, { content: null, error: null }))).toEqual(word === 'queued' ? queued() : generating())
  expect(await pollH3(task('paused'))).toEqual({ status: 'running', unknownWord: 'paused' })
  for (const content of [undefined, null, {}, { url: 7 }, { url: 'https://a.example/a b' }, { url: 'ftp://a/b' }])
    expect(await pollH3(task('succeeded', { content }))).toEqual({ status: 'running', unknownWord: 'succeeded without a URL' })
})

test('a task of Hailuo’s has the id of a file, and the file has the video’s address', async () => {
  const told = status('Success', 0, { file_id: fileId, video_width: 1366, video_height: 768 })
  const file = json(200, { file: { file_id: Number(fileId), download_url: url, purpose: 'video_generation' }, ...base(0) })
  const { provider, asked } = answering({ [statusPath]: told, [filePath]: file })
  expect(await provider.poll([ofHailuo], signal)).toEqual([{ status: 'succeeded', outputUrl: url }])
  expect(asked).toEqual([`GET ${statusPath} Bearer the-key`, `GET ${filePath} Bearer the-key`])
  for (const word of ['Preparing', 'Queueing', 'Processing'])
    expect(await pollHailuo(status(word))).toEqual(word === 'Processing' ? generating() : queued())
  expect(await pollHailuo(status('Unknown'))).toEqual({ status: 'running', unknownWord: 'Unknown' })
  for (const none of [{}, { file_id: '' }, { file_id: 0 }, { file_id: null }, { file_id: '../x' }])
    expect(await pollHailuo(status('Success', 0, none))).toEqual({ status: 'running', unknownWord: 'Success without a file' })
  const withoutUrl = json(200, { file: { file_id: fileId, download_url: '' }, ...base(0) })
  expect(await pollHailuo(told, withoutUrl)).toEqual({ status: 'running', unknownWord: 'Success without a URL' })
})

test('a file that can’t be had now says nothing of its task', async () => {
  const told = status('Success', 0, { file_id: fileId })
  for (const file of [
    ...[
      json(200, base(1002)),
      json(200, { file: { file_id: fileId, download_url: url }, ...base(1000) }),
      error(500, 'internal error (1000)'),
    ],
    ...[json(200, { file: { file_id: 7, download_url: url }, ...base(0) }), json(200, {}), new Response('<html>')],
  ])
    await expect(pollHailuo(told, file)).rejects.toThrow(ProviderTrouble)
})

const failed = (cause: string, code: Extract<PollAnswer, { status: 'failed' }>['code'] = 'generation_failed') =>
  ({ status: 'failed', code, cause }) as const

test('a failure is a word of the task’s, and its code tells what of it was withheld', async () => {
  const failing = (error: unknown) => pollH3(task('failed', { error }))
  expect(await failing({ code: '1033', message: 'system error' })).toEqual(failed('failed: 1033'))
  expect(await failing({ code: '1026', message: 'words' })).toEqual(failed('failed: 1026', 'prompt_rejected'))
  expect(await failing({ code: 1027 })).toEqual(failed('failed: 1027', 'output_moderated'))
  for (const none of [undefined, null, {}, { code: '' }, { code: 'a\nb' }]) expect(await failing(none)).toEqual(failed('failed: no code'))
  for (const word of ['cancelled', 'expired']) expect(await pollH3(task(word))).toEqual(failed(word))
  for (const word of ['Fail', 'Failed']) {
    expect(await pollHailuo(status(word))).toEqual(failed('failed: no code'))
    expect(await pollHailuo(status(word, 1033))).toEqual(failed('failed: 1033'))
    expect(await pollHailuo(status(word, 1026))).toEqual(failed('failed: 1026', 'prompt_rejected'))
    expect(await pollHailuo(status(word, 1027))).toEqual(failed('failed: 1027', 'output_moderated'))
  }
})

test('what says something of the call alone, or of another task, is no answer', async () => {
  for (const answer of [
    ...[
      error(400, 'invalid params (2013)'),
      error(401, 'login fail (1004)'),
      error(429, 'rate limit (1002)'),
      error(500, 'internal error (1000)'),
    ],
    ...[json(200, {}), json(200, base(1002)), json(200, { id, status: 'succeeded', content: { url } }), json(500, {}), json(404, {})],
    ...[task('failed', { id: '7' }), task('failed', { model: 'MiniMax-H3-Max' }), new Response('404 page not found', { status: 404 })],
  ])
    await expect(pollH3(answer)).rejects.toThrow(ProviderTrouble)
  for (const answer of [
    ...[1001, 1002, 1004, 1008, 1028, 1030, 1039, 1041, 2038, 2045, 2049, 2056, 2061].map(code => status('Fail', code)),
    ...[1000, 1026, 1027, 2013].map(code => status('Success', code, { file_id: fileId })),
    ...[
      json(200, base(1002)),
      json(200, { status: 'Fail', ...base(0) }),
      status('Fail', 0, { task_id: '7' }),
      error(500, 'internal error (1000)'),
    ],
    ...[json(200, { task_id: id, status: 'Fail' }), json(500, { task_id: id, status: 'Fail', ...base(1027) })],
  ])
    await expect(pollHailuo(answer)).rejects.toThrow(ProviderTrouble)
})

test('an id that MiniMax doesn’t know is missing, and identified as nobody’s; of one that it knows it can’t say whose', async () => {
  for (const answer of [error(500, 'record not found (1000)'), error(400, 'invalid params, invalid task_id (2013)')]) {
    expect(await pollH3(answer)).toEqual({ status: 'missing' })
    expect(await answering({ [taskPath]: answer }).provider.identify(ofH3, signal)).toBeUndefined()
  }
  const nobody = json(200, {
    task_id: 0,
    status: '',
    file_id: 0,
    base_resp: { status_code: 2013, status_msg: 'invalid params, task not found' },
  })
  expect(await pollHailuo(nobody)).toEqual({ status: 'missing' })
  const { provider, asked } = answering({ [taskPath]: task('failed'), [statusPath]: status('Success', 0, { file_id: fileId }) })
  expect([await provider.identify(ofH3, signal), await provider.identify(ofHailuo, signal)]).toEqual([
    { attemptId: null },
    { attemptId: null },
  ])
  expect([asked.length, provider.lookUp, provider.capabilities.lookUp]).toEqual([2, undefined, 'none'])
})

test('one without an answer voids no other', async () => {
  const { provider } = answering({ [taskPath]: task('running') })
  expect(await provider.poll([ofHailuo, ofH3], signal)).toEqual([undefined, generating()])
})
