import { expect, test } from 'bun:test'
import { createHmac } from 'node:crypto'
import {
  APICallError,
  experimental_generateVideo,
  experimental_getVideoStatus as getVideoStatus,
  experimental_startVideo as startVideo,
} from 'ai'
import { createFindCard } from './request/model-card.ts'
import { apiKey, baseUrl, fakeApi, type Routes, type Sent, task } from './testing/fake-api.ts'
import { createVideoModel } from './video-model.ts'

globalThis.AI_SDK_LOG_WARNINGS = false

const png = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const download = async () => ({ data: png, mediaType: 'video/mp4' })
const fallbackMs = 1_500
type Options = Partial<Parameters<typeof experimental_generateVideo>[0]>

function open(routes: Routes = {}) {
  const api = fakeApi(routes)
  const own = { headers: { 'x-team': 'boats' }, fetch: api.fetch, findCard: createFindCard(), webhookFallbackMs: fallbackMs }
  const model = createVideoModel({ apiKey: () => apiKey, baseUrl: () => baseUrl, ...own }, 'alpha-h3')
  const generate = (options: Options) => experimental_generateVideo({ model, prompt: 'A paper boat', download, ...options })
  return { ...api, model, generate }
}
const keyOf = ({ headers }: Sent) => headers.get('idempotency-key')

test('a lost answer is asked for again under the same key, with the same body and one upload', async () => {
  const { generate, posts } = open({
    'POST /openai/v1/videos': (_, times) => (times === 1 ? undefined : { body: { id: 'vt_1', credits_used: 20, credits_refunded: 0 } }),
  })
  const webhook = async () => ({ url: 'https://hooks.example.com/a', received: Promise.resolve({ headers: {}, body: 'forged' }) })
  await generate({ prompt: { text: 'A paper boat', image: png }, webhook })
  const [first, second, third] = posts('/videos')
  expect([first?.body, first && keyOf(first), third]).toEqual([second?.body, second && keyOf(second), undefined])
  expect([first?.body, posts('/uploads').length]).toEqual([expect.stringContaining('"image_url":"https://store.example.com/1"'), 1])
}, 30_000)

test('each call without polls has a key of its own, which its retries keep', async () => {
  const unwell = { status: 500, body: { error: { code: 'internal_error', message: 'Something went wrong on our side.' } } }
  const { generate, posts } = open({
    'POST /api/v1/video/generations': (_, times) => (times <= 4 ? unwell : { status: 202, body: task() }),
  })
  await generate({})
  expect([posts('/generations').length, new Set(posts('/generations').map(keyOf)).size]).toEqual([5, 1])
  await generate({ n: 2 })
  expect([posts('/generations').length, new Set(posts('/generations').map(keyOf)).size]).toEqual([7, 3])
  await generate({ providerOptions: { filmgate: { idempotencyKey: 'mine', tags: { scene: 'boat' } } } })
  const own = posts('/generations').at(-1)
  expect([own && keyOf(own), own?.headers.get('filmgate-tags'), own?.body]).toEqual([
    'mine',
    'scene=boat',
    JSON.stringify({ model: 'alpha-h3', prompt: 'A paper boat', mode: 'text-to-video' }),
  ])
}, 30_000)

test('a refusal is an APICallError with the API’s code; a 409 is not retried', async () => {
  const refusal = { error: { code: 'idempotency_key_reused', message: 'Another body.' } }
  for (const [path, how] of [
    ['POST /api/v1/video/generations', {}],
    ['POST /openai/v1/videos', { webhook: async () => ({ url: 'https://hooks.example.com/a', received: new Promise<never>(() => {}) }) }],
  ] as const) {
    const { generate, sent } = open({ [path]: () => ({ status: 409, body: refusal }) })
    const error = await generate(how).catch((thrown: unknown) => thrown)
    // The SDK wraps what it does not retry no further.
    expect(APICallError.isInstance(error) && [error.statusCode, error.isRetryable, error.data]).toMatchObject([
      409,
      false,
      { error: { code: 'idempotency_key_reused' } },
    ])
    expect(sent.filter(({ method }) => method === 'POST').length).toBe(1)
  }
})

test('headers of provider and call go to the API alone, and change neither key', async () => {
  const { generate, sent } = open()
  const headers = { 'X-Trace': '7', Authorization: 'Bearer other', 'Content-Type': 'text/plain' }
  await generate({ prompt: { text: 'A paper boat', image: png }, headers })
  const seen = sent.map(({ url, headers: all }) => [new URL(url).host, all.get('x-trace'), all.get('x-team'), all.get('authorization')])
  const ofApi = ['api.example.com', '7', 'boats', `Bearer ${apiKey}`]
  expect(seen.filter(([host]) => host === 'api.example.com')).toEqual(seen.filter(([host]) => host === 'api.example.com').map(() => ofApi))
  expect(seen.filter(([host]) => host !== 'api.example.com')).toEqual([['store.example.com', null, null, null]])
  expect(sent.find(({ method }) => method === 'POST')?.headers.get('user-agent')).toContain('filmgate-ai-sdk/')
})

/** As the webhooks service signs. */
function signed(secret: string, event: object) {
  const [body, at] = [JSON.stringify(event), Math.floor(Date.now() / 1_000)]
  const signature = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`msg_1.${at}.${body}`)
    .digest('base64')
  return { headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': String(at), 'webhook-signature': `v1,${signature}` }, body }
}

test('a signed webhook of the task ends the wait at once, also as parsed JSON; others are not believed, and the task is read', async () => {
  const event = (changes = {}) => ({ type: 'task.completed', timestamp: '', data: { task: task(), tags: {}, ...changes } })
  const calls: [string, boolean, (secret: string) => { headers: Record<string, string>; body: unknown }][] = [
    ['text', true, secret => signed(secret, event())],
    ['JSON', true, secret => ({ ...signed(secret, event()), body: event() })],
    ['another secret', false, () => signed('whsec_AAAA', event())],
    ['another task', false, secret => signed(secret, event({ task: task({ id: 'vt_2' }) }))],
    ['not its end', false, secret => signed(secret, { ...event(), type: 'task.in_review' })],
  ]
  await Promise.all(
    calls.map(async ([name, believed, make]) => {
      let tell: (call: never) => void = () => {}
      const { generate } = open({
        'POST /openai/v1/videos': ({ body }) => {
          const { callback_secret, callback_url } = JSON.parse(body)
          expect(callback_url).toBe('https://hooks.example.com/a')
          tell(make(callback_secret) as never)
          return { body: { id: 'vt_1', credits_used: 20, credits_refunded: 0 } }
        },
      })
      const received = new Promise<never>(resolve => {
        tell = resolve
      })
      const startedAt = performance.now()
      const { providerMetadata } = await generate({ webhook: async () => ({ url: 'https://hooks.example.com/a', received }) })
      expect([name, performance.now() - startedAt < fallbackMs]).toEqual([name, believed])
      expect(JSON.stringify(providerMetadata)).not.toContain('whsec_')
    }),
  )
}, 30_000)

test('a start that was refused takes no webhook of a later call with the same URL; one that is retried keeps its own', async () => {
  const refused = { status: 402, body: { error: { code: 'insufficient_credits', message: 'Too few credits.' } } }
  const busy = { status: 503, body: { error: { code: 'overloaded', message: 'Busy.' } } }
  let tell: (call: never) => void = () => {}
  const { generate } = open({
    'POST /openai/v1/videos': ({ body }, times) => {
      if (times <= 2) return times === 1 ? refused : busy
      tell(signed(JSON.parse(body).callback_secret, { type: 'task.completed', timestamp: '', data: { task: task(), tags: {} } }) as never)
      return { body: { id: 'vt_1', credits_used: 20, credits_refunded: 0 } }
    },
  })
  const url = 'https://hooks.example.com/a'
  const silent = generate({ webhook: async () => ({ url, received: new Promise<never>(() => {}) }) })
  expect(await silent.catch((thrown: unknown) => thrown)).toMatchObject({ statusCode: 402 })
  const received = new Promise<never>(resolve => {
    tell = resolve
  })
  expect((await generate({ webhook: async () => ({ url, received }), poll: { timeoutMs: 1_000 } })).video.mediaType).toBe('video/mp4')
}, 30_000)

test('a receiver that fails before the task has started is as one that is never called', async () => {
  const { generate } = open()
  const webhook = async () => ({ url: 'https://hooks.example.com/a', received: Promise.reject(new Error('the port is taken')) })
  expect((await generate({ webhook })).video.mediaType).toBe('video/mp4')
})

test('an installation without webhooks makes the video all the same, with a warning', async () => {
  const issues = [{ path: 'callback_url', rule: 'unsupported_field', message: 'webhooks are off here' }]
  const { model, posts } = open({
    'POST /openai/v1/videos': () => ({ status: 400, body: { error: { code: 'invalid_request', message: 'Off.', details: { issues } } } }),
  })
  const { operation, warnings } = await startVideo({ model, prompt: 'A paper boat', webhookUrl: 'https://hooks.example.com/a' })
  expect([operation, warnings]).toEqual([{ taskId: 'vt_1' }, [expect.objectContaining({ type: 'unsupported', feature: 'webhook' })]])
  expect(keyOf(posts('/generations')[0] as Sent)).toBe(keyOf(posts('/videos')[0] as Sent))
})

test('a task that failed says why, names itself and tells what comes back', async () => {
  const failed = task({ status: 'failed', output: null, error: { code: 'prompt_rejected', message: 'Refused.' }, credits_refunded: 20 })
  const { model, generate } = open({
    'POST /api/v1/video/generations': () => ({ status: 202, body: failed }),
    'GET /api/v1/tasks/vt_1': () => ({ body: failed }),
  })
  const error = await generate({}).catch((thrown: unknown) => thrown)
  expect(APICallError.isInstance(error) && [error.isRetryable, error.data]).toMatchObject([
    false,
    { taskId: 'vt_1', error: { code: 'prompt_rejected' } },
  ])
  expect(await getVideoStatus(model, { operation: { taskId: 'vt_1' } })).toMatchObject({
    status: 'error',
    error: 'Refused. (prompt_rejected; task vt_1; 20 of 20 credits are returned)',
  })
})

test('an abort ends the call with the caller’s reason', async () => {
  const { generate } = open({ 'POST /api/v1/video/generations': () => undefined })
  const reason = new DOMException('Enough.', 'AbortError')
  const controller = new AbortController()
  setTimeout(() => controller.abort(reason), 200)
  expect(await generate({ abortSignal: controller.signal }).catch((thrown: unknown) => thrown)).toBe(reason)
})
