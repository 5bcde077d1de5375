import { afterAll, expect, test } from 'bun:test'
import net from 'node:net'
import tls from 'node:tls'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { hostileAnswers } from '@filmgate/kit/testing/hostile-answers'
import { callProvider, ProviderTrouble } from './call'

const servers: { close(): unknown }[] = []
afterAll(() => servers.forEach(server => void server.close()))

/** A server that answers each request on a connection with the next of `answers`; null cuts the connection. */
async function tcp(answers: (string | null)[], seen: string[] = []): Promise<string> {
  const server = net.createServer(socket => {
    socket.on('error', () => {})
    socket.on('data', data => {
      seen.push(data.toString().split(' ', 1)[0] ?? '')
      const answer = answers[Math.min(seen.length - 1, answers.length - 1)] ?? null
      if (answer === null) socket.destroy()
      else socket.write(answer)
    })
  })
  servers.push(server)
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`
}

const call = (url: string, timeoutMs = 2_000, method: 'GET' | 'POST' = 'POST') =>
  callProvider({
    provider: 'test',
    call: 'submit',
    url,
    method,
    headers: {},
    timeoutMs,
    signal: new AbortController().signal,
    ...(method === 'POST' && { body: '{}' }),
  })

async function troubleOf(url: string, timeoutMs?: number): Promise<boolean | string> {
  try {
    return JSON.stringify(await call(url, timeoutMs))
  } catch (error) {
    return error instanceof ProviderTrouble ? error.sent : String(error)
  }
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

test('what fails before a byte is written is known as never sent', async () => {
  const { cert, key } = await makeCertificate({ names: ['another.example'] })
  const wrong = Bun.serve({ port: 0, tls: { cert, key }, fetch: () => new Response('{}') })
  servers.push({ close: () => wrong.stop(true) })
  expect(await troubleOf('http://127.0.0.1:1/')).toBe(false)
  expect(await troubleOf('http://no-such-host.invalid/')).toBe(false)
  expect(await troubleOf(`https://127.0.0.1:${wrong.port}/`)).toBe(false)
})

/** A TLS server that reads a request whole and then breaks its connection with these bytes in plain, or null: with a reset. */
async function breakingTls(bytes: number[] | null, read: string[]): Promise<string> {
  const { cert, key } = makeCertificate({ names: ['localhost'] })
  const raw = new Set<net.Socket>()
  const inner = tls.createServer({ cert, key }, socket => {
    socket.on('error', () => {})
    socket.on('data', data => {
      read.push(data.toString().split('\r\n').at(-1) ?? '')
      for (const one of raw) {
        if (bytes === null) one.resetAndDestroy()
        else one.write(Buffer.from(bytes))
      }
    })
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  inner.listen(0, '127.0.0.1', resolve)
  await promise
  const outer = net.createServer(client => {
    raw.add(client)
    const server = net.connect((inner.address() as net.AddressInfo).port, '127.0.0.1')
    for (const one of [client, server]) one.on('error', () => {})
    client.pipe(server).pipe(client)
  })
  const listening = Promise.withResolvers<void>()
  outer.listen(0, '127.0.0.1', listening.resolve)
  await listening.promise
  servers.push(inner, outer)
  return `https://127.0.0.1:${(outer.address() as net.AddressInfo).port}/`
}

test.each<[string, number[] | null]>([
  ['a fatal alert', [21, 3, 3, 0, 2, 2, 80]],
  ['a record that nobody can decrypt', [23, 3, 3, 0, 32, ...Array(32).fill(7)]],
  ['plain words', [...Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')]],
  ['a reset', null],
])('a TLS connection that breaks with %s after the request was read may have brought it', async (_, bytes) => {
  const read: string[] = []
  const url = await breakingTls(bytes, read)
  // What is tried here comes after its certificate was believed, which nobody signed.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  const trouble = await troubleOf(url).finally(() => {
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '1'
  })
  expect({ trouble, read }).toEqual({ trouble: true, read: ['{}'] })
})

test('what fails after that may have arrived', async () => {
  expect(await troubleOf(await tcp([null]))).toBe(true)
  expect(await troubleOf(await tcp(['']), 200)).toBe(true)
  expect(await troubleOf(await tcp(['HTTP/1.1 201 Created\r\nContent-Length: 100\r\n\r\n{"id"']), 200)).toBe(true)
  expect(await troubleOf(await tcp(['HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\n{"id"']))).toBe(true)
})

test('a POST whose connection was kept and is cut is not sent again', async () => {
  const seen: string[] = []
  const url = await tcp([ok, ok, ok, null], seen)
  for (let i = 0; i < 3; i++) await call(url)
  expect(await troubleOf(url)).toBe(true)
  expect(seen).toEqual(['POST', 'POST', 'POST', 'POST'])
})

test('a redirect is an answer, not a way to go', async () => {
  const seen: string[] = []
  const elsewhere = await tcp([ok], seen)
  const url = await tcp([`HTTP/1.1 307 Temporary Redirect\r\nLocation: ${elsewhere}\r\nContent-Length: 2\r\n\r\n{}`])
  expect(await call(url)).toEqual({ status: 307, body: {} })
  expect(seen).toEqual([])
})

test('an answer without a body is one only where its status says all there is to say', async () => {
  const accepted = 'HTTP/1.1 202 Accepted\r\nContent-Length: 0\r\n\r\n'
  const cut = 'HTTP/1.1 202 Accepted\r\nContent-Length: 2\r\n\r\n{"'
  const ask = { provider: 'test', call: 'poll', method: 'GET', headers: {}, timeoutMs: 2_000 } as const
  const { signal } = new AbortController()
  const asked = async (answer: string, bodyless?: number[]) =>
    callProvider({ ...ask, url: await tcp([answer]), signal, ...(bodyless && { bodyless }) })
  expect(await asked(accepted, [202])).toEqual({ status: 202, body: null })
  await expect(asked(accepted)).rejects.toThrow(ProviderTrouble)
  await expect(asked(accepted, [200])).rejects.toThrow(ProviderTrouble)
  await expect(asked(cut, [202])).rejects.toThrow(ProviderTrouble)
})

test('an endless answer is given up on', async () => {
  const chunk = 'a'.repeat(1_000_000)
  const server = Bun.serve({ port: 0, fetch: () => new Response(new ReadableStream({ pull: controller => controller.enqueue(chunk) })) })
  servers.push({ close: () => server.stop(true) })
  expect(await troubleOf(`http://127.0.0.1:${server.port}/`, 5_000)).toBe(true)
})

test('a small answer that unpacks to a huge one is given up on', async () => {
  const packed = Bun.gzipSync(Buffer.from(`{"pad":"${'a'.repeat(5_000_000)}"}`))
  const headers = { 'content-encoding': 'gzip', 'content-length': String(packed.length) }
  const server = Bun.serve({ port: 0, fetch: () => new Response(packed, { headers }) })
  servers.push({ close: () => server.stop(true) })
  await expect(call(`http://127.0.0.1:${server.port}/`)).rejects.toThrow('answered more than 4194304 bytes')
})

test('whatever a provider answers, or never answers, a call ends in its time and throws nothing but trouble', async () => {
  const server = net.createServer({ allowHalfOpen: true }, socket => {
    socket.on('error', () => {}).on('end', () => socket.destroy())
    socket.once('data', data => hostileAnswers[Number(data.toString().split(' ')[1]?.slice(1))]?.answer(socket))
  })
  servers.push(server)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}/`
  const odd: string[] = []
  // Of the statuses, 101 and 103 stand for their kinds here.
  const asked = hostileAnswers.map(({ name }, index) => ({ name, index })).filter(({ index }) => index < 8 || index >= 1_000)
  for (const { name, index } of asked) {
    const startedAt = performance.now()
    const end = await Promise.race([
      call(`${base}${index}`, 300).then(
        () => 'answered',
        error => (error instanceof ProviderTrouble ? 'trouble' : String(error)),
      ),
      Bun.sleep(5_000).then(() => 'never ended'),
    ])
    if (!['answered', 'trouble'].includes(end)) odd.push(`${name}: ${end} after ${Math.round(performance.now() - startedAt)} ms`)
  }
  expect(odd).toEqual([])
}, 120_000)

test('of an answer’s headers only those that the call names are read', async () => {
  const server = Bun.serve({ port: 0, fetch: () => Response.json({}, { headers: { 'x-cost': '3', 'x-other': '1' } }) })
  servers.push({ close: () => server.stop(true) })
  const asked = { provider: 'test', call: 'poll' as const, url: `http://127.0.0.1:${server.port}/`, method: 'GET' as const, headers: {} }
  const ask = (read?: string[]) => callProvider({ ...asked, ...(read && { read }), timeoutMs: 2_000, signal: new AbortController().signal })
  expect(await ask(['x-cost', 'x-absent'])).toEqual({ status: 200, body: {}, headers: { 'x-cost': '3' } })
  expect(await ask()).toEqual({ status: 200, body: {} })
})
