import { afterAll, expect, test } from 'bun:test'
import { createServer } from 'node:net'
import { Failure } from '../../failure'
import { startNameServer } from '../../testing/name-server'
import { safePost } from './safe-post'

const requests: string[] = []
const answers: Record<string, string> = {
  '/taken': 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello',
  '/nothing': 'HTTP/1.1 204 No Content\r\n\r\n',
  '/broken': 'HTTP/1.1 500 Oops\r\n\r\nwe are down',
  '/away': 'HTTP/1.1 302 Found\r\nLocation: /taken\r\nContent-Length: 0\r\n\r\n',
  '/short': 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello',
  '/long': `HTTP/1.1 200 OK\r\n\r\n${'x'.repeat(100_000)}`,
  '/not-http': 'hello',
}
const server = createServer(socket => {
  socket.on('error', () => undefined)
  socket.once('data', data => {
    requests.push(data.toString())
    const path = data.toString().split(' ')[1] ?? ''
    if (answers[path]) socket.end(answers[path])
    // The head has come, and nothing after it.
    else if (path === '/stalls') socket.write('HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\nhel')
  })
})
await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
const address = server.address()
const origin = `http://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`
afterAll(() => void server.close())

const policy = { forbiddenRanges: [], trustedOrigins: [{ origin }] }
const limits = { totalTimeoutMs: 500 }

async function posted(path: string, url = `${origin}${path}`): Promise<string> {
  try {
    const { status, answer } = await safePost(policy, { url, headers: { 'X-Id': 'a, b' }, body: '"é"', answerBytesMax: 16, limits })
    return `${status} ${answer}`
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  }
}

test.each([
  ['/taken', '200 hello'],
  ['/nothing', '204 '],
  ['/broken', '500 we are down'],
  ['/away', '302 '],
  ['/short', '200 hello'],
  ['/stalls', '201 hel'],
  ['/long', `200 ${'x'.repeat(16)}`],
  ['/not-http', 'answer_invalid'],
  ['/silent', 'timed_out'],
])('a POST to %s ends as %s', async (path, outcome) => {
  expect(await posted(path)).toBe(outcome)
})

test('headers and body arrive as given, and no redirect is followed', async () => {
  requests.length = 0
  await posted('/away')
  expect(requests).toEqual([
    [
      'POST /away HTTP/1.1',
      `Host: ${new URL(origin).host}`,
      'X-Id: a, b',
      'Content-Length: 4',
      'Accept: */*',
      'Accept-Encoding: identity',
      'User-Agent: Filmgate/1',
      'Connection: close',
      '',
      '"é"',
    ].join('\r\n'),
  ])
})

test.each([
  ['http://example.com/', 'url_forbidden'],
  ['https://169.254.169.254/', 'address_forbidden'],
])('%s is refused before a connection: %s', async (url, reason) => {
  expect(await posted('', url)).toBe(reason)
})

test('a public name with a private address is refused before a connection', async () => {
  const names = await startNameServer(() => ({ address: '10.0.0.1' }))
  const guarded = { forbiddenRanges: [], trustedOrigins: [], nameServers: [names.address] }
  const refusal = await safePost(guarded, { url: 'https://hooks.example.com/', headers: {}, body: '', answerBytesMax: 1 }).catch(
    error => error,
  )
  await names.stop()
  expect(refusal.reason).toBe('address_forbidden')
})

test('a header that would end its line is a mistake of ours', () => {
  const post = safePost(policy, { url: `${origin}/taken`, headers: { 'X-Id': 'a\r\nHost: b' }, body: '', answerBytesMax: 1 })
  expect(post).rejects.toThrow('one header is one line')
})
