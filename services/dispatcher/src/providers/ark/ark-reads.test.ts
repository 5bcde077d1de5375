import { afterAll, expect, test } from 'bun:test'
import { answeringProvider, type ProviderRequest } from '../../testing/answering-provider'
import { ProviderTrouble } from '../call'
import type { Connector, PollAnswer } from '../connector'
import { generating, queued } from '../mapping/running'
import { connectArk } from './connect-ark'

const servers: { stop(): void }[] = []
afterAll(() => servers.forEach(server => void server.stop()))

/** Ark, answering everything so. */
function answering(answer: () => Response, marksAttempts = false): { provider: Connector; asked: ProviderRequest[] } {
  const server = answeringProvider(answer)
  servers.push(server)
  const options = { url: `${server.url}/api/v3/`, key: 'the-key', submitTimeoutMs: 10_000, readTimeoutMs: 10_000, marksAttempts }
  return { provider: connectArk(options), asked: server.asked }
}

const { signal } = new AbortController()
const tasks = '/api/v3/contents/generations/tasks'
const id = 'cgt-20250629201507-n6k56'
const attemptId = 'at_1'
const polled = { attemptId, providerTaskId: id, providerModel: 'doubao-seedance-2-0-260128', echoed: false }
const json = (status: number, body: unknown) => Response.json(body, { status })
const refusal = (code: string) => ({ error: { code, message: 'words', param: '', type: 'BadRequest' } })
const item = (status: string, more: object = {}) => ({ id, model: 'doubao-seedance-2-0', status, error: null, ...more })
const listed = (...items: unknown[]) => json(200, { items, total: items.length })
const pollOf = async (answer: Response, more: object = {}): Promise<PollAnswer | undefined> =>
  (await answering(() => answer.clone() as Response).provider.poll([{ ...polled, ...more }], signal))[0]

test('many are asked about in one list, and one that is not in it is missing', async () => {
  const url = 'https://ark-content-generation-cn-beijing.tos-cn-beijing.volces.com/a.mp4?X-Tos-Expires=86400'
  const { provider, asked } = answering(() => listed(item('succeeded', { id: 'b', content: { video_url: url } }), item('running')))
  const others = ['b', 'c'].map(providerTaskId => ({ ...polled, providerTaskId }))
  expect(await provider.poll([polled, ...others], signal)).toEqual([
    generating(),
    { status: 'succeeded', outputUrl: url },
    { status: 'missing' },
  ])
  const query = `page_num=1&page_size=500&filter.task_ids=${id}&filter.task_ids=b&filter.task_ids=c`
  expect(asked).toEqual([{ method: 'GET', path: `${tasks}?${query}`, authorization: 'Bearer the-key', body: undefined }])
})

test('one that is not in a list which is not all of it, or not all legible, is not missing', async () => {
  expect(await pollOf(json(200, { items: [item('running', { id: 'b' })], total: 2 }))).toBeUndefined()
  expect(await pollOf(listed(item('running', { id: 'b' }), { id: 7 }))).toBeUndefined()
  for (const items of [[], null]) expect(await pollOf(json(200, { items, total: 0 }))).toEqual({ status: 'missing' })
})

test('each state is read as its page has it, and a word that we don’t know is running', async () => {
  expect(await pollOf(listed(item('queued')))).toEqual(queued())
  expect(await pollOf(listed(item('archived')))).toEqual({ status: 'running', unknownWord: 'archived' })
  for (const content of [undefined, null, {}, { video_url: 7 }, { video_url: 'https://a.example/a b' }, { video_url: 'ftp://a/b' }])
    expect(await pollOf(listed(item('succeeded', { content })))).toEqual({ status: 'running', unknownWord: 'succeeded without a URL' })
  const failed = (cause: string, code = 'generation_failed') => ({ status: 'failed', code, cause: `failed: ${cause}` }) as never
  for (const word of ['cancelled', 'expired']) expect(await pollOf(listed(item(word)))).toEqual(failed(word))
  const because = (code: string, message = 'words') => pollOf(listed(item('failed', { error: { code, message } })))
  expect(await because('InternalServiceError')).toEqual(failed('InternalServiceError'))
  expect(await pollOf(listed(item('failed')))).toEqual(failed('no code'))
  const moderated = 'OutputVideoSensitiveContentDetected.PolicyViolation'
  expect(await because(moderated)).toEqual(failed(moderated, 'output_moderated'))
  expect(await because('InputImageSensitiveContentDetected')).toMatchObject({ code: 'prompt_rejected' })
  expect(await because('InvalidParameter', 'content[1]: resource download failed')).toMatchObject({ status: 'inputs-unread' })
})

test('what says something of the call alone is no answer', async () => {
  for (const answer of [json(401, refusal('AuthenticationError')), json(429, {}), json(500, {}), json(200, {}), json(404, { items: [] })]) {
    await expect(pollOf(answer)).rejects.toThrow(ProviderTrouble)
    const { provider } = answering(() => answer.clone() as Response, true)
    await expect(provider.identify(polled, signal)).rejects.toThrow(ProviderTrouble)
    await expect(provider.lookUp?.(attemptId, signal)).rejects.toThrow(ProviderTrouble)
  }
})

test('an identifier that isn’t this attempt’s is somebody else’s task', async () => {
  for (const [own, echoed, status] of [
    [attemptId, true, 'running'],
    ['at_2', true, 'missing'],
    ['at_2', false, 'missing'],
    [undefined, true, 'missing'],
    ['', false, 'running'],
  ] as const)
    expect([own, await pollOf(listed(item('running', { safety_identifier: own })), { echoed })]).toMatchObject([own, { status }])
})

test('attempts are not marked unless that is set, and then nothing is looked up by a mark', async () => {
  const { provider } = answering(() => listed())
  expect([provider.lookUp, provider.capabilities.ownId, provider.capabilities.lookUp]).toEqual([undefined, 'none', 'none'])
})

test('what was marked is found among the newest; one that isn’t found proves nothing', async () => {
  const found = (...items: object[]) => answering(() => listed(...items), true).provider.lookUp?.(attemptId, signal)
  const own = item('failed', { safety_identifier: attemptId })
  const others = [item('running', { id: 'b', safety_identifier: 'at_2' }), item('running', { id: 'c' }), { id: 7 }]
  expect(await found(...others, own)).toBe(id)
  expect(await found(...others)).toBeUndefined()
  await expect(found(own, { ...own, id: 'b' })).rejects.toThrow('two tasks under one id')
})

test('whether an id is Ark’s can be asked, and whose it is where it was marked', async () => {
  const known = async (answer: Response) => answering(() => answer).provider.identify(polled, signal)
  expect(await known(listed(item('running')))).toEqual({ attemptId: null })
  expect(await known(listed(item('running', { safety_identifier: 'at_2' })))).toEqual({ attemptId: 'at_2' })
  expect(await known(listed())).toBeUndefined()
  await expect(known(listed({ id: 7 }))).rejects.toThrow(ProviderTrouble)
})

test('an output comes from the public internet, unless Ark is a stand-in on this machine', () => {
  const bounds = { key: 'k', submitTimeoutMs: 500, readTimeoutMs: 500, marksAttempts: false }
  expect(connectArk({ url: 'https://ark.cn-beijing.volces.com/api/v3', ...bounds }).outputOrigins).toEqual([])
  expect(connectArk({ url: 'http://127.0.0.1:4105/ark/api/v3', ...bounds }).outputOrigins).toEqual([{ origin: 'http://127.0.0.1:4105' }])
})

test('a key is checked by a list of one', async () => {
  const checked = async (answer: Response) => {
    const { provider, asked } = answering(() => answer)
    const result = await provider.checkKey(signal)
    expect(asked).toMatchObject([{ method: 'GET', path: `${tasks}?page_num=1&page_size=1` }])
    return result
  }
  expect(await checked(listed())).toBe('accepted')
  for (const status of [401, 403]) expect(await checked(json(status, refusal('AuthenticationError')))).toBe('refused')
  for (const answer of [json(200, {}), json(500, {}), json(429, {}), new Response('<html>', { status: 404 })])
    await expect(checked(answer)).rejects.toThrow(ProviderTrouble)
})
