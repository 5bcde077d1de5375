import { afterAll, expect, test } from 'bun:test'
import { connect } from 'node:net'
import { Elysia } from 'elysia'
import { readBody, readJson } from '../request/read-json'
import { requestReasons } from '../request/reasons'
import { testLog, until } from '../testing'
import { exchange } from '../testing/raw-exchange'
import { renderError } from './render-error'
import { createReadiness } from './server'
import { startPublicServer } from './start-public-server'

const uncached = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
let made = 0
let held = 0
let fetched = 0
const bodies = { begun: 0, left: [] as { name: string; aborted: boolean }[] }
let leaving: { url: string[]; left: number; gate: PromiseWithResolvers<void> } | undefined
let streamed = { pieces: 0, cancelled: false }
const gate = Promise.withResolvers<void>()
const app = new Elysia({ normalize: false })
  .use(renderError(testLog, requestReasons))
  .get('/here', () => 'here')
  .get('/kept', ({ set }) => {
    set.headers['cache-control'] = 'public, no-cache'
    return new Response('kept')
  })
  .get('/counted', async () => {
    fetched += 1
    await Bun.sleep(20)
    return 'counted'
  })
  .get('/ids/:id', ({ params }) => params)
  .get('/key', ({ headers }) => ({ key: headers['idempotency-key'] }))
  .get('/url', ({ request }) => ({ url: request.url }))
  .get('/held', async () => {
    held += 1
    await gate.promise
    return 'held'
  })
  .post(
    '/make',
    async ({ request }) => {
      const body = await readJson(request)
      await Bun.sleep(20)
      made += 1
      return { made, body }
    },
    { parse: 'none' },
  )
  .post('/slow', async ({ request }) => readBody(request, 200), { parse: 'none' })
  .post(
    '/leave',
    async ({ request }) => {
      const body = readBody(request)
      bodies.begun += 1
      await body.catch(error => {
        bodies.left.push({ name: error.name, aborted: request.signal.aborted })
      })
      return 'left'
    },
    { parse: 'none' },
  )
  .get('/rows', ({ query }) => {
    streamed = { pieces: 0, cancelled: false }
    const current = streamed
    const piece = new Uint8Array(65_536).fill(120)
    return new Response(
      new ReadableStream({
        pull(controller) {
          if (current.pieces === 400) return controller.close()
          if (query.breaks && current.pieces === 3) throw new Error('the source broke')
          current.pieces += 1
          controller.enqueue(piece)
        },
        cancel() {
          current.cancelled = true
        },
      }),
      { headers: { 'content-type': 'text/csv' } },
    )
  })
  .get('/gone', async ({ request }) => {
    leaving ??= { url: [], left: 0, gate: Promise.withResolvers<void>() }
    const { gate, url } = leaving
    url.push(request.url)
    request.signal.addEventListener('abort', () => {
      if (leaving) leaving.left += 1
    })
    await gate.promise
    return 'stayed'
  })
  .all('/*', ({ path, set }) => {
    set.status = 404
    return { path }
  })
const readiness = createReadiness({})
const server = await startPublicServer({
  app,
  config: { port: 0, metricsPort: 0, trustedProxies: 0 },
  log: testLog,
  readiness,
  idleMs: 1_000,
  headMs: 500,
})
afterAll(() => server.drain(0))

const ask = (text: string | Uint8Array, answers = 1) => exchange(server.port, text, answers)
const host = 'Host: gateway.example\r\n'
const post = (body: string) =>
  `POST /make HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`

test('pipelined requests are answered one after the other, in their order', async () => {
  const before = made
  const { answers, closed } = await ask(['{"n":1}', '{"n":2}', '{"n":3}'].map(post).join(''), 3)
  expect(answers.map(({ status, text }) => [status, JSON.parse(text)])).toEqual(
    [1, 2, 3].map(n => [200, { made: before + n, body: { n } }]),
  )
  expect(closed).toBe(false)
})
test('a slow request in front is answered in front, whatever is ready behind it', async () => {
  const both = ask(`GET /held HTTP/1.1\r\n${host}\r\nGET /here HTTP/1.1\r\n${host}\r\n`, 2)
  await until('the first to be held', () => held === 1)
  gate.resolve()
  expect((await both).answers.map(({ text }) => text)).toEqual(['held', 'here'])
})
test('of what is pipelined without end thirty-two are answered, and the next is the last', async () => {
  const before = fetched
  const { answers, closed } = await exchange(server.port, `GET /counted HTTP/1.1\r\n${host}\r\n`.repeat(5_000), 5_000)
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 32 }, () => 200), 400])
  expect([JSON.parse(answers.at(-1)?.text ?? '').error.code, closed, fetched - before]).toEqual(['too_many_pipelined', true, 32])
})
test('a connection is kept for the next request, and ended where the client says so', async () => {
  const kept = await ask(`GET /here HTTP/1.1\r\n${host}\r\n`)
  expect([kept.answers[0]?.headers.connection, kept.closed]).toEqual(['keep-alive', false])
  const ended = await ask(`GET /here HTTP/1.1\r\n${host}Connection: close\r\n\r\n`, 2)
  expect([ended.answers[0]?.headers.connection, ended.closed]).toEqual(['close', true])
})
test('a head that does not come is answered with 408, and a connection that says no more is ended', async () => {
  for (const text of [`GET /here HTTP/1.1\r\n${host}X: a`, '']) {
    const { answers, closed } = await ask(text, 2)
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).error.code])).toEqual([[408, 'request_timeout']])
    expect(closed).toBe(true)
  }
  const idle = await ask(`GET /here HTTP/1.1\r\n${host}\r\n`, 2)
  expect([idle.answers.length, idle.closed]).toEqual([1, true])
})
test('a body that stops coming is given up by its reader, who answers', async () => {
  const head = `POST /slow HTTP/1.1\r\n${host}Content-Type: application/json\r\n`
  for (const text of [`${head}Content-Length: 9\r\n\r\n{"a`, `${head}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a`]) {
    const { answers, closed } = await ask(text, 2)
    expect(answers.map(({ status, text }) => [status, JSON.parse(text).error.code])).toEqual([[400, 'invalid_json']])
    expect(closed).toBe(true)
  }
})
test('a client that leaves before its answer is heard of', async () => {
  const gone = ask(`GET /gone HTTP/1.1\r\n${host}\r\n`, 1)
  await until('the request', () => leaving !== undefined)
  const socket = connect({ port: server.port, host: '127.0.0.1' })
  socket.write(`GET /gone HTTP/1.1\r\n${host}\r\n`)
  await until('the other request', () => leaving?.url.length === 2)
  socket.destroy()
  await until('the signal', () => leaving?.left === 1)
  leaving?.gate.resolve()
  expect((await gone).answers.map(({ status }) => status)).toEqual([200])
})
test('a client that leaves in its body is known by the error and by the signal, whatever its framing', async () => {
  for (const framing of ['Content-Length: 9\r\n\r\n{"a', 'Transfer-Encoding: chunked\r\n\r\n3\r\n{"a']) {
    const before = bodies.begun
    const socket = connect({ port: server.port, host: '127.0.0.1' })
    socket.write(`POST /leave HTTP/1.1\r\n${host}${framing}`)
    await until('the body to be read', () => bodies.begun > before)
    socket.destroy()
    await until('the end', () => bodies.left.length > before)
    expect(bodies.left[before]).toEqual({ name: 'AbortError', aborted: true })
  }
})
test('chunks with extensions and trailers are a body like any other', async () => {
  const chunked = `POST /make HTTP/1.1\r\n${host}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n\r\n`
  const { answers } = await ask(`${chunked}4;a=b\r\n{"a"\r\n3\r\n:1}\r\n0\r\nX-Sum: 7\r\n\r\nGET /here HTTP/1.1\r\n${host}\r\n`, 2)
  expect(answers.map(({ status }) => status)).toEqual([200, 200])
  expect(JSON.parse(answers[0]?.text ?? '').body).toEqual({ a: 1 })
})
test.each([
  ['16 KiB of headers', `GET /here HTTP/1.1\r\n${host}X: ${'a'.repeat(16_400)}\r\n\r\n`, 431, 'headers_too_large'],
  ['300 headers', `GET /here HTTP/1.1\r\n${host}${'X: a\r\n'.repeat(300)}\r\n`, 431, 'headers_too_large'],
  ['a long path', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${host}\r\n`, 431, 'headers_too_large'],
  ['another version', `GET /here HTTP/3.0\r\n${host}\r\n`, 505, 'http_version_not_supported'],
  ['HTTP/2 without asking', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 505, 'http_version_not_supported'],
  ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'invalid_http'],
  ['two lengths', `POST /make HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, 400, 'invalid_http'],
  ['the same length twice', `POST /make HTTP/1.1\r\n${host}Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}`, 400, 'invalid_http'],
  [
    'a length and chunks',
    `POST /make HTTP/1.1\r\n${host}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    400,
    'invalid_http',
  ],
  ['another coding', `POST /make HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`, 400, 'invalid_http'],
  ['a chunk of no size', `POST /make HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nzz\r\n`, 400, 'invalid_http'],
  ['no Host', 'GET /here HTTP/1.1\r\n\r\n', 400, 'invalid_http'],
  ['two Hosts', `GET /here HTTP/1.1\r\n${host}${host}\r\n`, 400, 'invalid_http'],
  ['a Host that is none', 'GET /here HTTP/1.1\r\nHost: a b\r\n\r\n', 400, 'invalid_http'],
  ['a Host with a path', 'GET /here HTTP/1.1\r\nHost: a/b\r\n\r\n', 400, 'invalid_http'],
  ['a path that leads elsewhere', `GET /api/../here HTTP/1.1\r\n${host}\r\n`, 400, 'invalid_http'],
  ['a path that leads elsewhere, encoded', `GET /api/%2E./here HTTP/1.1\r\n${host}\r\n`, 400, 'invalid_http'],
  ['a path with a backslash', `GET /api\\..\\here HTTP/1.1\r\n${host}\r\n`, 400, 'invalid_http'],
  ['a NUL in a header', `GET /here HTTP/1.1\r\n${host}X: a\0b\r\n\r\n`, 400, 'invalid_http'],
  ['a folded header', `GET /here HTTP/1.1\r\n${host}X: a\r\n b\r\n\r\n`, 400, 'invalid_http'],
  ['an unknown method', `FOO /here HTTP/1.1\r\n${host}\r\n`, 400, 'invalid_http'],
  ['a tunnel', `CONNECT gateway:443 HTTP/1.1\r\n${host}\r\n`, 400, 'invalid_http'],
  ['another expectation', `POST /make HTTP/1.1\r\n${host}Content-Length: 2\r\nExpect: more\r\n\r\n{}`, 417, 'expectation_failed'],
])('%s is refused with an ErrorResponse, and the connection ends', async (_, text, status, code) => {
  const { answers, closed } = await exchange(server.port, text, 9)
  expect(answers.map(answer => [answer.status, JSON.parse(answer.text).error.code])).toEqual([[status, code]])
  expect(answers[0]?.headers).toMatchObject({
    ...uncached,
    'content-type': 'application/json',
    'x-request-id': expect.stringMatching(/^[0-9a-f]{32}$/),
  })
  expect(closed).toBe(true)
})
test('no cache keeps an answer unless its route says so, and no browser guesses its type', async () => {
  const headersOf = async (path: string) => (await ask(`GET ${path} HTTP/1.1\r\n${host}\r\n`)).answers[0]?.headers
  for (const path of ['/here', '/url', '/nowhere', '/ids/%ff']) expect(await headersOf(path)).toMatchObject(uncached)
  expect(await headersOf('/kept')).toMatchObject({ ...uncached, 'cache-control': 'public, no-cache' })
})
test('a length beyond all bounds is refused by whoever reads the body, before it comes', async () => {
  const { answers } = await ask(`POST /make HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 9007199254740991\r\n\r\n`)
  expect(answers.map(({ status, text }) => [status, JSON.parse(text).error.code])).toEqual([[413, 'body_too_large']])
})
test('two Idempotency-Key headers reach the route that names them; two of Authorization reach none', async () => {
  const twice = (name: string) => ask(`GET /key HTTP/1.1\r\n${host}${`${name}: a\r\n`.repeat(2)}\r\n`)
  expect((await twice('Idempotency-Key')).answers.map(({ text }) => text)).toEqual(['{"key":"a, a"}'])
  expect((await twice('Authorization')).answers.map(({ status }) => status)).toEqual([400])
})
test('a short Host and a whole URL lead to the same path, and an escape that is none to no id', async () => {
  for (const head of ['GET /here HTTP/1.1\r\nHost: abc\r\n\r\n', 'GET /here HTTP/1.1\r\nHost: a\r\n\r\n', 'GET /here HTTP/1.0\r\n\r\n'])
    expect((await ask(head)).answers.map(({ status }) => status)).toEqual([200])
  const { answers } = await ask(`GET http://gateway.example/url?a=%ff HTTP/1.1\r\n${host}\r\n`)
  expect(answers[0]?.text).toBe('{"url":"http://gateway.example/url?a=%ff"}')
  for (const id of ['%ff', '%zz', '%', 'a%C0%80'])
    expect((await ask(`GET /ids/${id}?a=%ff HTTP/1.1\r\n${host}\r\n`)).answers[0]?.text).toMatch(/^\{"id":"a?\ufffd+(zz)?"\}$/)
  expect((await ask('PUT /nowhere HTTP/1.1\r\nHost: abc\r\n\r\n')).answers[0]?.text).toBe('{"path":"/nowhere"}')
})
test('100-continue is met', async () => {
  const { answers } = await ask(
    `POST /make HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n{}`,
  )
  expect(answers.map(({ status }) => status)).toEqual([100, 200])
})

test('a long answer is read as its client takes it, and no more once the client has left', async () => {
  const socket = connect(server.port, '127.0.0.1')
  socket.write(`GET /rows HTTP/1.1\r\n${host}\r\n`)
  await new Promise(resolve => socket.once('data', resolve))
  socket.pause()
  let before = -1
  await until('nothing more is read', async () => {
    const still = before === streamed.pieces
    before = streamed.pieces
    return still && before > 0
  })
  expect(streamed.pieces).toBeLessThan(300)
  socket.destroy()
  await until('the reading ended', async () => streamed.cancelled)
})

test('a long answer comes whole, and one that breaks is cut', async () => {
  const whole = await fetch(`http://127.0.0.1:${server.port}/rows`)
  expect([(await whole.arrayBuffer()).byteLength, whole.headers.get('content-length')]).toEqual([400 * 65_536, null])
  const cut = await fetch(`http://127.0.0.1:${server.port}/rows?breaks=1`)
    .then(answer => answer.arrayBuffer())
    .then(
      () => 'whole',
      () => 'cut',
    )
  expect(cut).toBe('cut')
})
