import { expect, test } from 'bun:test'
import type { AddressInfo } from 'node:net'
import tls from 'node:tls'
import { Failure } from '../failure'
import { type Certificate, type CertificateInput, makeCertificate } from '../testing/certificate'
import { safeFetch } from './safe-fetch'

const authority = makeCertificate({ names: ['Authority of a test'] })

/** What comes of a fetch from a server with this certificate: its body, or why there is none. */
async function fetched(host: string, certificate: Certificate): Promise<string> {
  const server = tls.createServer({ ...certificate }, socket => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://${host}:${(server.address() as AddressInfo).port}`
  try {
    const { body } = await safeFetch({ forbiddenRanges: [], trustedOrigins: [{ origin, ca: authority.cert }] }, { url: `${origin}/` })
    let text = ''
    for await (const chunk of body) text += Buffer.from(chunk).toString()
    return text
  } catch (error) {
    return error instanceof Failure ? error.reason : String(error)
  } finally {
    server.close()
  }
}

test.each([
  ['its name', 'localhost', { names: ['localhost'] }],
  ['its name among others, made out to somebody else', 'localhost', { names: ['other.example', 'localhost'], subject: 'Somebody' }],
  ['its address', '127.0.0.1', { names: ['127.0.0.1'] }],
] as [string, string, CertificateInput][])('a certificate that lists the host is believed: by %s', async (_, host, input) => {
  expect(await fetched(host, makeCertificate({ ...input, issuer: authority }))).toBe('hello')
})

test.each([
  ['made out to it, without a list', 'localhost', { names: [], subject: 'localhost' }],
  ['made out to it, with a list of others', 'localhost', { names: ['other.example'], subject: 'localhost' }],
  ['made out to it, with a list of addresses', 'localhost', { names: ['127.0.0.1'], subject: 'localhost' }],
  ['made out to its address', '127.0.0.1', { names: [], subject: '127.0.0.1' }],
  ['made out to its address, with a list of names', '127.0.0.1', { names: ['other.example'], subject: '127.0.0.1' }],
  ['that lists another', 'localhost', { names: ['localhost.example'] }],
  ['that lists every name', 'localhost', { names: ['*'] }],
] as [string, string, CertificateInput][])('a certificate that does not list the host is not believed: one %s', async (_, host, input) => {
  expect(await fetched(host, makeCertificate({ ...input, issuer: authority }))).toBe('tls_failed')
})
