import { expect, test } from 'bun:test'
import { Filmgate } from '@filmgate/client'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { createSession } from '../session.ts'
import { createBudget } from '../spend/budget.ts'
import { generateVideo } from './generate-video.ts'

type Sent = { path: string; body: Record<string, unknown> }
type Answer = { status: number; body: object; headers?: Record<string, string> }

const task = (changes = {}) => ({ id: 'vt_1', status: 'processing', model: 'alpha-h3', mode: 'text-to-video', ...cost, ...changes })
const cost = {
  credits_used: 4,
  credits_refunded: 0,
  output: null,
  error: null,
  created_at: null,
  updated_at: null,
  billing_status: 'reserved',
}
const refusal = (status: number, code: string): Answer => ({ status, body: { error: { code, message: code } } })

/** An agent of a server whose API answers POSTs by turns, and knows the task of a key where `bound` says so. */
async function open({ posts, bound = [], price = 4 }: { posts: (Answer | undefined)[]; bound?: object[]; price?: number }) {
  const sent: Sent[] = []
  const fetch = async (url: string, init: RequestInit) => {
    const { pathname } = new URL(url)
    sent.push({ path: pathname, body: JSON.parse(String(init.body ?? 'null')) })
    const answers: Record<string, () => Answer | undefined> = {
      '/api/v1/video/estimate': () => ({ status: 200, body: { credits: price, available: true } }),
      '/api/v1/tasks': () => ({ status: 200, body: { object: 'list', data: bound, next_cursor: null } }),
      '/api/v1/video/generations': () => posts.shift(),
    }
    const answer = answers[pathname]?.()
    if (!answer) throw new TypeError('cut')
    const headers = { 'content-type': 'application/json', ...answer.headers }
    return new Response(JSON.stringify(answer.body), { status: answer.status, headers })
  }
  const filmgate = new Filmgate({ apiKey: 'sk_live_a', baseUrl: 'https://api.example.com/api/v1', fetch })
  const budget = createBudget({ credits: 10 })
  const server = new McpServer({ name: 'test', version: '1' })
  generateVideo(server, createSession({ filmgate, budget, videoCreditsMax: 9, saveTo: undefined }))
  const client = new Client({ name: 'test', version: '1' })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  const generate = async (changes = {}) => {
    const given = { model: 'alpha-h3', prompt: 'A boat', idempotency_key: 'a', ...changes }
    const { isError = false, content } = (await client.callTool({ name: 'generate_video', arguments: given })) as {
      isError?: boolean
      content: { text: string }[]
    }
    return { isError, text: content[0]?.text ?? '' }
  }
  const made = () => sent.filter(({ path }) => path.endsWith('/generations')).map(({ body }) => body)
  return { generate, budget, made }
}

test('the request carries its price, and the task’s cost takes the place of what was held', async () => {
  const { generate, budget, made } = await open({ posts: [{ status: 202, body: task({ credits_used: 3 }) }] })
  expect((await generate({ image_url: 'https://media.example.com/a.png' })).isError).toBe(false)
  expect(made()).toEqual([
    { model: 'alpha-h3', prompt: 'A boat', image_url: 'https://media.example.com/a.png', mode: 'image-to-video', max_credits: 4 },
  ])
  expect(budget.left()).toBe(7)
})

test('a refusal frees what was held; above the limit of a video nothing is sent', async () => {
  const { generate, budget } = await open({ posts: [refusal(402, 'insufficient_credits')] })
  expect(await generate()).toEqual({ isError: true, text: expect.stringContaining('add credits') })
  expect(budget.left()).toBe(10)
  const dear = await open({ posts: [], price: 10 })
  expect(await dear.generate()).toEqual({ isError: true, text: expect.stringContaining('at most 9') })
  expect(await dear.generate({ max_credits: 2 })).toEqual({
    isError: true,
    text: expect.stringContaining('at most 2 are allowed for one (max_credits)'),
  })
  expect([dear.made(), dear.budget.left()]).toEqual([[], 10])
})

test('an uncertain outcome stays held, also where a later call under the key is refused, and a retry sends the same', async () => {
  const { generate, budget, made } = await open({
    posts: [refusal(503, 'acceptance_uncertain'), refusal(409, 'idempotency_key_reused'), { status: 200, body: task() }],
  })
  expect(await generate()).toEqual({ isError: true, text: expect.stringContaining('the same idempotency_key') })
  expect(budget.left()).toBe(6)
  expect(await generate({ prompt: 'Another' })).toEqual({ isError: true, text: expect.stringContaining('idempotency_key_reused') })
  expect(budget.left()).toBe(6)
  expect((await generate()).isError).toBe(false)
  const [first, , third] = made()
  expect([third, budget.left()]).toEqual([first, 6])
})

test('a POST that may have arrived stays held where the attempt after it is refused, and its task is counted', async () => {
  const rateLimited = { ...refusal(429, 'rate_limited'), headers: { 'retry-after': '600' } }
  for (const last of [rateLimited, refusal(401, 'invalid_api_key')]) {
    const bound: object[] = []
    const { generate, budget } = await open({ posts: [undefined, last, { status: 200, body: task() }], bound })
    const { text } = await generate()
    expect([text, budget.left()]).toEqual([expect.stringMatching(/idempotency_key 'a'.*the same idempotency_key/s), 6])
    bound.push(task())
    expect([(await generate()).isError, budget.left()]).toEqual([false, 6])
  }
})

test('a task of this run that no hold counts is counted once a call finds it', async () => {
  const bound: object[] = []
  const { generate, budget } = await open({
    posts: [refusal(402, 'insufficient_credits'), undefined, { status: 200, body: task() }],
    bound,
  })
  await generate()
  expect(budget.left()).toBe(10)
  bound.push(task())
  expect([(await generate()).isError, budget.left()]).toEqual([false, 6])
})

test('a key that its refunded task left free is held anew: its second task is refused beyond the budget', async () => {
  const refunded = task({ status: 'failed', credits_used: 6, credits_refunded: 6, billing_status: 'refunded' })
  const other = { status: 202, body: task({ id: 'vt_2', credits_used: 6 }) }
  const { generate, budget, made } = await open({ posts: [{ status: 202, body: refunded }, other], price: 6 })
  await generate()
  await generate({ idempotency_key: 'b' })
  expect(await generate()).toEqual({ isError: true, text: expect.stringContaining('4 of the budget of 10 are left') })
  expect([made().length, budget.spent()]).toEqual([2, 6])
})

test('a key of an earlier run costs nothing here; one that turns out free does', async () => {
  const bound = [task({ status: 'completed' })]
  const again = await open({ posts: [{ status: 200, body: task({ status: 'completed' }) }], bound })
  expect([(await again.generate()).isError, again.budget.left()]).toEqual([false, 10])
  const other = await open({ posts: [refusal(409, 'idempotency_key_reused')], bound })
  expect(await other.generate()).toEqual({ isError: true, text: expect.stringContaining('made vt_1 before') })
  const fresh = await open({ posts: [{ status: 202, body: task({ id: 'vt_2' }) }], bound })
  expect([(await fresh.generate()).isError, fresh.budget.left()]).toEqual([false, 6])
})
