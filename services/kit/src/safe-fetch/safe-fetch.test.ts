import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createServer, type TLSSocket } from 'node:tls'
import { gzipSync } from 'node:zlib'
import { Failure } from '../failure'
import { makeCertificate } from '../testing/certificate'
import type { FetchPolicy } from './fetch-policy'
import { userAgentOf } from './hop/user-agent'
import { safeFetch } from './safe-fetch'

// The only origin here is a trusted one: what must never be reached is proven with packets counted, in tests/media.
const certificate = makeCertificate({ names: ['localhost'] })
const zipped = gzipSync('hello'.repeat(100))
const limits = { totalTimeoutMs: 5_000, headersTimeoutMs: 300, rateWindowMs: 300, bytesPerSecondMin: 100, bodyBytesMax: 1_000_000 }

const answers: Record<string, (socket: TLSSocket) => void> = {
  '/plain': socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'),
  '/no-length': socket => socket.end('HTTP/1.1 200 OK\r\n\r\nhello'),
  '/gzip': socket =>
    socket.end(
      Buffer.concat([Buffer.from(`HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: ${zipped.length}\r\n\r\n`), zipped]),
    ),
  '/short': socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello'),
  '/chunk-cut': socket => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n'),
  '/declared': socket => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 1000001\r\n\r\n'),
  '/headers': socket => socket.end(`HTTP/1.1 200 OK\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n`),
  '/silent': () => undefined,
  '/not-http': socket => socket.end('hello'),
  '/gone': socket => socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n'),
  '/partial': socket => socket.end('HTTP/1.1 206 Partial Content\r\nContent-Length: 1\r\n\r\nh'),
  '/relative': socket => socket.end('HTTP/1.1 302 Found\r\nLocation: plain\r\nContent-Length: 0\r\n\r\n'),
  '/loop': socket => socket.end('HTTP/1.1 302 Found\r\nLocation: /loop\r\nContent-Length: 0\r\n\r\n'),
  '/to-private': socket => socket.end('HTTP/1.1 302 Found\r\nLocation: https://169.254.169.254/\r\nContent-Length: 0\r\n\r\n'),
  '/to-http': socket => socket.end('HTTP/1.1 302 Found\r\nLocation: http://example.com/\r\nContent-Length: 0\r\n\r\n'),
  '/to-double-slash': socket => socket.end('HTTP/1.1 302 Found\r\nLocation: /\\10.0.0.1/\r\nContent-Length: 0\r\n\r\n'),
  '/to-latin1': socket => {
    const head = 'HTTP/1.1 302 Found\r\nLocation: /caf\u00e9 au lait#menu\r\nContent-Length: 0\r\n\r\n'
    socket.end(Buffer.from(head, 'latin1'))
  },
  '/endless': socket => {
    const more = () => {
      while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) {}
    }
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    socket.on('drain', more)
    more()
  },
  '/drip': socket => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const timer = setInterval(() => (socket.destroyed ? clearInterval(timer) : socket.write('x')), 50)
  },
}

const server = createServer(certificate, socket => {
  socket.on('error', () => undefined)
  socket.once('data', data => {
    const [, path = ''] = data.toString().split(' ')
    const [pathname = '', query] = path.split('?')
    const sends = (body: string) => socket.end(`HTTP/1.1 200 OK\r\n\r\n${body}`)
    const leads = (to: string) => socket.end(`HTTP/1.1 302 Found\r\nLocation: ${to}\r\n\r\n`)
    if (pathname === '/hops') return leads(Number(query) > 1 ? `/hops?${Number(query) - 1}` : '/plain')
    if (pathname === '/who') return sends(/^User-Agent: (.*)$/m.exec(data.toString())?.[1]?.trim() ?? '')
    if (pathname.startsWith('/caf')) return sends(path)
    answers[pathname]?.(socket)
  })
})
let policy: FetchPolicy
beforeAll(async () => {
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  policy = {
    forbiddenRanges: [],
    userAgent: userAgentOf('https://filmgate.example/contact'),
    trustedOrigins: [{ origin: `https://localhost:${address && typeof address === 'object' ? address.port : 0}`, ca: certificate.cert }],
  }
})
afterAll(() => void server.close())

async function fetched(path: string, own: object = {}): Promise<string> {
  try {
    const { body } = await safeFetch(policy, { url: `${policy.trustedOrigins[0]?.origin}${path}`, limits, ...own })
    let text = ''
    for await (const chunk of body) text += Buffer.from(chunk).toString('latin1')
    return text
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  }
}

test.each([
  ['/plain', 'hello'],
  ['/no-length', 'hello'],
  ['/relative', 'hello'],
  ['/gzip', zipped.toString('latin1')],
  ['/short', 'body_truncated'],
  ['/chunk-cut', 'body_truncated'],
  ['/declared', 'body_too_large'],
  ['/endless', 'body_too_large'],
  ['/drip', 'too_slow'],
  ['/headers', 'answer_invalid'],
  ['/not-http', 'answer_invalid'],
  ['/silent', 'timed_out'],
  ['/gone', 'status_unexpected'],
  ['/partial', 'status_unexpected'],
  ['/loop', 'redirects_exceeded'],
  ['/to-private', 'address_forbidden'],
  ['/to-http', 'redirect_forbidden'],
  ['/to-double-slash', 'address_forbidden'],
  ['/hops?10', 'hello'],
  ['/hops?11', 'redirects_exceeded'],
  ['/to-latin1', '/caf%E9%20au%20lait'],
  ['/who', 'Filmgate/1 (+https://filmgate.example/contact)'],
])('%s ends as %s', async (path, outcome) => {
  expect(await fetched(path)).toBe(outcome)
})

test('the total deadline ends a body that keeps up its rate', async () => {
  expect(await fetched('/drip', { limits: { ...limits, bytesPerSecondMin: 0, totalTimeoutMs: 400 } })).toBe('timed_out')
})

test('the caller’s signal ends a fetch at once', async () => {
  const caller = new AbortController()
  const outcome = fetched('/drip', { signal: caller.signal })
  caller.abort()
  expect(await outcome).toBe('interrupted')
})

test('a fetch that was given up before it began opens no connection, to a name or to an address', async () => {
  const signal = AbortSignal.abort(new Error('another file failed'))
  expect(await fetched('/plain', { signal })).toBe('interrupted')
  const toAddress = await safeFetch({ forbiddenRanges: [], trustedOrigins: [] }, { url: 'https://1.1.1.1/', signal }).catch(error => error)
  expect(toAddress).toMatchObject({ reason: 'interrupted' })
})

test.each(['/drip', '/silent'])('a caller whose own time runs out interrupts %s: the other side was not late', async path => {
  expect(await fetched(path, { signal: AbortSignal.timeout(100) })).toBe('interrupted')
})

test('a certificate that nobody vouches for is not believed', async () => {
  const [origin] = policy.trustedOrigins
  policy = { ...policy, trustedOrigins: [{ origin: origin?.origin ?? '' }] }
  expect(await fetched('/plain')).toBe('tls_failed')
})

test('the same server without the setting is out of reach', async () => {
  const url = `${policy.trustedOrigins[0]?.origin}/plain`
  const refusal = await safeFetch({ forbiddenRanges: [], trustedOrigins: [] }, { url }).catch(error => error)
  expect(refusal.reason).toBe('url_forbidden')
})
