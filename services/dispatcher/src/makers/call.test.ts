import { afterAll, expect, test } from 'bun:test'
import net from 'node:net'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { callMaker, MakerTrouble } from './call'

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
  callMaker({
    maker: 'test',
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
    return error instanceof MakerTrouble ? error.sent : String(error)
  }
}

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}'

test('what fails before a byte is written is known as never sent', async () => {
  const { cert, key } = await makeCertificate({ names: ['another.example'] })
  const tls = Bun.serve({ port: 0, tls: { cert, key }, fetch: () => new Response('{}') })
  servers.push({ close: () => tls.stop(true) })
  expect(await troubleOf('http://127.0.0.1:1/')).toBe(false)
  expect(await troubleOf('http://no-such-host.invalid/')).toBe(false)
  expect(await troubleOf(`https://127.0.0.1:${tls.port}/`)).toBe(false)
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
