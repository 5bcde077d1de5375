import { expect, test } from 'bun:test'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Filmgate } from '../index.ts'
import { fastClock } from '../testing/fast-clock.ts'
import { type Instead, json, refuse, type Seen, startGateway } from '../testing/gateway.ts'

const linesOf = (seen: Seen[]) => seen.map(({ method, path }) => `${method} ${path}`)

const lose: Instead = (_, answer) => {
  answer.destroy()
  return true
}

async function against(instead: Instead, use: (filmgate: Filmgate) => Promise<unknown>) {
  await using gateway = await startGateway(instead)
  using _ = fastClock(50)
  const result: unknown = await use(new Filmgate({ apiKey: 'sk_live_test', baseUrl: `${gateway.url}/` })).catch((error: unknown) => error)
  return { result, seen: gateway.seen }
}

/** An upload whose file is `waiting` once; the first PUT is answered with `putStatus`. */
const uploadRoutes = (verdict: object, putStatus = 200): Instead => {
  let [puts, reads] = [0, 0]
  return ({ method, path, headers }, answer) => {
    if (path === '/put') {
      answer.writeHead(puts++ === 0 ? putStatus : 200).end()
      return true
    }
    if (method === 'GET') return json(answer, 200, { id: 'up_1', expires_at: '', ...(reads++ === 0 ? { status: 'waiting' } : verdict) })
    const put_url = `http://${headers.host}/put`
    return json(answer, 201, {
      id: 'up_1',
      put_url,
      put_headers: { 'content-type': 'image/png' },
      url: 'https://uploads/1.png',
      expires_at: '',
    })
  }
}

test('a Blob and a file become a URL once they are put, without the key, and checked', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'filmgate-'))
  const path = join(folder, 'boat.PNG')
  await writeFile(path, 'bytes of a picture')
  const blob = new Blob(['bytes of a picture'], { type: 'image/png' })
  for (const file of [blob, path])
    for (const putStatus of [200, 503]) {
      const { result, seen } = await against(uploadRoutes({ status: 'accepted' }, putStatus), filmgate => filmgate.uploads.create(file))
      expect(result).toBe('https://uploads/1.png')
      expect(seen[0]?.body).toBe('{"type":"image/png","bytes":18}')
      const puts = seen.filter(({ method }) => method === 'PUT')
      expect(puts.map(({ body, headers }) => [body, headers['content-type'], headers['content-length'], headers.authorization])).toEqual(
        Array(putStatus === 200 ? 1 : 2).fill(['bytes of a picture', 'image/png', '18', undefined]),
      )
    }
  await rm(folder, { recursive: true })
})

test('a file that is refused by the check, by the store, or has no type, is told', async () => {
  const blob = new Blob(['x'], { type: 'image/png' })
  const issue = { code: 'media_corrupt', message: 'not a picture' }
  const checked = await against(uploadRoutes({ status: 'refused', issue }), filmgate => filmgate.uploads.create(blob))
  expect(checked.result).toMatchObject(issue)
  const stored = await against(uploadRoutes({}, 403), filmgate => filmgate.uploads.create(blob))
  expect([stored.result, stored.seen.length]).toMatchObject([{ code: 'upload_failed' }, 2])
  const redirected = await against(uploadRoutes({}, 307), filmgate => filmgate.uploads.create(blob))
  expect([redirected.result, redirected.seen.length]).toMatchObject([{ code: 'upload_failed' }, 2])
  const untyped = await against(uploadRoutes({}), filmgate => filmgate.uploads.create(new Blob(['x'])))
  expect([untyped.result, untyped.seen.length]).toMatchObject([{ code: 'invalid_argument' }, 0])
  const unchecked = await against(uploadRoutes({}), filmgate => filmgate.uploads.create(blob, { check: false }))
  expect(linesOf(unchecked.seen)).toEqual(['POST /api/v1/uploads', 'PUT /put'])
})

test('a list goes over all its pages with its filters, and a page is one request', async () => {
  const pages: Instead = ({ path }, answer) => {
    const next = path.includes('cursor=b') ? null : 'b+/='
    return json(answer, 200, { object: 'list', data: [{ id: next ?? 'last' }], next_cursor: next })
  }
  const { seen } = await against(pages, async filmgate => {
    const ids: string[] = []
    for await (const { id } of filmgate.tasks.list({ status: 'failed', tag: { name: 'project', value: 'a&b' }, limit: 1 })) ids.push(id)
    expect(ids).toEqual(['b+/=', 'last'])
    expect((await filmgate.usage.list({ from: '2026-11-01' }).page()).next_cursor).toBe('b+/=')
    await filmgate.usage.summary({ by: 'day,tag:project' })
    await filmgate.webhooks.deliveries('whe_1', { status: 'failed' }).page()
  })
  expect(linesOf(seen)).toEqual([
    'GET /api/v1/tasks?status=failed&limit=1&tag=project%3Da%26b',
    'GET /api/v1/tasks?status=failed&limit=1&tag=project%3Da%26b&cursor=b%2B%2F%3D',
    'GET /api/v1/usage?from=2026-11-01',
    'GET /api/v1/usage/summary?by=day%2Ctag%3Aproject',
    'GET /api/v1/webhook-endpoints/whe_1/deliveries?status=failed',
  ])
})

test('a task is found by its key, and a model by its name', async () => {
  const found: Instead = ({ path }, answer) => json(answer, 200, { data: path.includes('known') ? [{ id: 'vt_1' }] : [] })
  const { result } = await against(found, async filmgate => [await filmgate.tasks.find('known'), await filmgate.tasks.find('other')])
  expect(result).toEqual([{ id: 'vt_1' }, undefined])
  const models: Instead = (_, answer) => json(answer, 200, { data: [{ id: 'alpha-h3' }] })
  expect((await against(models, filmgate => filmgate.models.get('alpha-h3'))).result).toEqual({ id: 'alpha-h3' })
  expect((await against(models, filmgate => filmgate.models.get('beta-2.0'))).result).toMatchObject({ code: 'unknown_model' })
})

test('what makes something new is not sent again after a lost answer, and is after a refusal for its number', async () => {
  const endpoint = { url: 'https://example.com/hook' }
  const verbs = {
    create: (filmgate: Filmgate) => filmgate.webhooks.create(endpoint),
    rotate: (filmgate: Filmgate) => filmgate.webhooks.rotate('whe_1'),
    test: (filmgate: Filmgate) => filmgate.webhooks.test('whe_1'),
    replay: (filmgate: Filmgate) => filmgate.webhooks.replay('whe_1', { delivery_id: 'msg_1' }),
  }
  for (const [name, verb] of Object.entries(verbs)) {
    const lost = await against(lose, verb)
    expect([name, lost.result, lost.seen.length]).toMatchObject([name, { code: 'connection_failed' }, 1])
    let posts = 0
    const limited: Instead = (_, answer) =>
      posts++ === 0 ? refuse(answer, 429, 'rate_limited', { retryAfter: '1' }) : json(answer, 200, { id: 'whe_1' })
    expect((await against(limited, verb)).seen.length).toBe(2)
  }
})

test('an endpoint whose deletion was answered to nobody is deleted', async () => {
  let deletes = 0
  const lost: Instead = (_, answer) => (deletes++ === 0 ? lose(_, answer) : refuse(answer, 404, 'not_found'))
  expect((await against(lost, filmgate => filmgate.webhooks.delete('whe_1'))).result).toBeUndefined()
  const unknown: Instead = (_, answer) => refuse(answer, 404, 'not_found')
  expect((await against(unknown, filmgate => filmgate.webhooks.delete('whe_1'))).result).toMatchObject({ code: 'not_found' })
})

test('an id that would lead to another route is sent nowhere', async () => {
  for (const id of ['', '..', '.', 'a/b', 'a?b', '%2e%2e', 'a b', 'é']) {
    const { result, seen } = await against(
      () => undefined,
      filmgate => filmgate.tasks.get(id),
    )
    expect([id, result, seen.length]).toMatchObject([id, { code: 'invalid_argument' }, 0])
  }
})

test('a client without a key or an address says which setting is missing', () => {
  const { FILMGATE_URL, FILMGATE_API_KEY } = process.env
  delete process.env.FILMGATE_URL
  delete process.env.FILMGATE_API_KEY
  expect(() => new Filmgate()).toThrow('FILMGATE_API_KEY')
  expect(() => new Filmgate({ apiKey: 'k' })).toThrow('FILMGATE_URL')
  for (const baseUrl of ['x', 'ftp://x/api/v1', 'http://user:pass@x/api/v1', 'http://x/api/v1?a=b', 'file:///api/v1'])
    expect(() => new Filmgate({ apiKey: 'k', baseUrl })).toThrow('baseUrl')
  Object.assign(process.env, { ...(FILMGATE_URL && { FILMGATE_URL }), ...(FILMGATE_API_KEY && { FILMGATE_API_KEY }) })
})

test('a base URL that leads elsewhere is named, and an endless answer does not fill the memory', async () => {
  await using gateway = await startGateway((_, answer) => refuse(answer, 404, 'not_found'))
  const elsewhere = new Filmgate({ apiKey: 'k', baseUrl: `http://127.0.0.1:${gateway.port}` })
  const error = await elsewhere.credits().catch((error: unknown) => error)
  expect(error).toMatchObject({ code: 'not_found', message: expect.stringContaining('/api/v1') })
  let pieces = 0
  const pull = (out: ReadableStreamDefaultController) => {
    pieces++
    out.enqueue(new Uint8Array(1_048_576))
  }
  const body = () => new ReadableStream({ pull })
  const endless = new Filmgate({ apiKey: 'k', baseUrl: gateway.url, fetch: async () => new Response(body()) })
  expect(await endless.webhooks.test('whe_1').catch((error: unknown) => error)).toMatchObject({ code: 'connection_failed' })
  expect(pieces).toBeLessThan(40)
})

test('a file that is not there is told by its code, and nothing is sent', async () => {
  const { result, seen } = await against(lose, filmgate => filmgate.uploads.create('missing.jpg'))
  expect([result, seen]).toMatchObject([{ code: 'invalid_argument', message: expect.stringMatching(/missing\.jpg.*ENOENT/) }, []])
})
