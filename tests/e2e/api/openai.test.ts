import { expect, test } from 'bun:test'
import OpenAI, { APIError, toFile } from 'openai'
import { openAccount } from '../../support/client/account'
import { type Answer, createApi } from '../../support/client/api'
import { openAiUrl } from '../../support/client/openai'
import { ownWords, smallRequest } from '../../support/client/request'
import { sampleBytes } from '../../support/client/sample-media'
import { simulator } from '../../support/simulator'

/** One second at the smallest size that the model has. */
const small = () => ({ model: 'alpha-h3-fast', prompt: ownWords(), seconds: '1', size: '854x480' }) as unknown as OpenAI.VideoCreateParams

async function newClient() {
  const account = await openAccount()
  const client = new OpenAI({ apiKey: account.apiKey, baseURL: openAiUrl(), maxRetries: 0 })
  return { ...account, client, openAi: createApi(account.apiKey, openAiUrl()) }
}

const expectError = ({ status, body: { error } }: Answer, expected: number, code: string) => {
  expect({ status, code: error?.code }).toEqual({ status: expected, code })
  expect(Object.keys(error ?? {}).toSorted()).toEqual(expect.arrayContaining(['code', 'message', 'param', 'type']))
}

const kindOf = async (content: Response): Promise<string> => {
  const bytes = Buffer.from(await content.arrayBuffer())
  return bytes.toString('latin1', 4, 8) === 'ftyp' ? 'mp4' : bytes.toString('hex', 0, 3) === 'ffd8ff' ? 'jpeg' : 'neither'
}

test('OpenAI’s client makes a video, finds it, downloads it and deletes it; the API’s own routes say the same', async () => {
  const { api, client, openAi } = await newClient()
  const video = await client.videos.create(small())
  expect(video).toMatchObject({ object: 'video', model: 'alpha-h3-fast', seconds: '1', size: '854x480' })
  const running = await openAi.send('DELETE', `/videos/${video.id}`)
  if (running.status !== 200) expectError(running, 409, 'video_not_ended')
  const task = await api.taskOnce(video.id)
  expect(await client.videos.retrieve(video.id)).toMatchObject({
    status: 'completed',
    progress: 100,
    credits_used: task.credits_used,
  } as object)
  expect((await client.videos.list({ limit: 1 })).data.map(({ id }) => id)).toEqual([video.id])
  expect(await kindOf(await client.videos.downloadContent(video.id))).toBe('mp4')
  const url = task.output?.video_url ?? ''
  expect((await fetch(url)).status).toBe(200)
  expect(await client.videos.delete(video.id)).toEqual({ id: video.id, object: 'video.deleted', deleted: true })
  expect((await fetch(url)).status).toBeGreaterThanOrEqual(400)
  for (const answer of [await openAi.get(`/videos/${video.id}`), await openAi.get(`/videos/${video.id}/content`)])
    expectError(answer, 404, 'task_not_found')
  const [deleted, unknown] = [await api.task(video.id), await api.task('vt_unknown')]
  expect([deleted.status, deleted.text]).toEqual([unknown.status, unknown.text])
  expect((await api.get('/usage')).text).toContain(video.id)
}, 120_000)

test('a file is the first frame, and a retry of the library buys nothing again', async () => {
  const { api, client, openAi } = await newClient()
  const body = { ...small(), size: undefined, resolution: '768p', model: 'alpha-h3', seconds: '4' } as unknown as OpenAI.VideoCreateParams
  const picture = async () => toFile(await sampleBytes('lake-640x480.jpg'), 'lake.jpg')
  const send = async (count: string) =>
    client.videos.create({ ...body, input_reference: await picture() }, { headers: { 'x-stainless-retry-count': count } })
  const first = await send('0')
  const before = await api.credits()
  expect([(await send('1')).id, await api.credits()]).toEqual([first.id, before])
  expect((await api.task(first.id)).body.mode).toBe('image-to-video')
  expect(await simulator.submits(body.prompt)).toHaveLength(1)
  expectError(await openAi.get('/videos/vt_x/content?variant=spritesheet'), 400, 'invalid_request')
}, 120_000)

test('a callback is taken at OpenAI’s path alone: a retry with another one is the same request, and a private address is refused', async () => {
  const { api, openAi } = await newClient()
  const [body, own] = [small(), { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }]
  const send = (callback_url: string, headers: Record<string, string> = own) =>
    openAi.send('POST', '/videos', { headers, body: JSON.stringify({ ...body, callback_url, callback_secret: 'a secret of the client' }) })
  const first = await send('https://hooks.example.com/a')
  const again = await send('https://hooks.example.com/b')
  expect([first.status, again.status, again.body.id]).toEqual([200, 200, first.body.id])
  const { 'idempotency-key': _, ...other } = own
  expectError(await send('https://10.0.0.1/', other), 400, 'invalid_request')
  expect(JSON.parse((await api.get('/webhook-endpoints')).text).data).toEqual([])
  const native = { ...smallRequest(), callback_url: 'https://hooks.example.com/a' }
  expect((await api.generate(native)).body.error?.code).toBe('unsupported_field')
  expect((await api.taskOnce(first.body.id)).status).toBe('completed')
}, 120_000)

test('refusals are in OpenAI’s shape, with what the model has', async () => {
  const { client, openAi } = await newClient()
  const wrong = await client.videos.create({ ...small(), size: '1280x720' }).catch(error => error)
  expect(wrong).toBeInstanceOf(APIError)
  const { status, code, param, type, message } = wrong as APIError
  expect({ status, code, param, type }).toEqual({ status: 400, code: 'invalid_request', param: 'size', type: 'invalid_request_error' })
  expect(message).toContain('1366x768')
  const nobody = new OpenAI({ apiKey: 'sk_live_nobody', baseURL: openAiUrl(), maxRetries: 0 })
  expect(await nobody.videos.list().catch(error => [error.status, error.code])).toEqual([401, 'invalid_api_key'])
  expect((await client.models.list()).data.map(({ id }) => id)).toContain('alpha-h3')
  for (const [method, path, expected] of [
    ['POST', '/models', 405],
    ['GET', '/nowhere', 404],
    ['GET', '/models/sora-2', 404],
    ['GET', '/videos?limit=0', 400],
  ] as const)
    expect((await openAi.send(method, path)).status).toBe(expected)
})
