import { describe, expect, test } from 'bun:test'
import { connect, createServer } from 'node:tls'
import { type Certificate, makeCertificate } from './certificate'

/** Whether a client that trusts these authorities speaks to a server with this certificate: what the client says otherwise. */
async function handshake(certificate: Certificate, ca: string): Promise<string> {
  const server = createServer(certificate, socket => socket.end())
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', () => listening()))
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  const { promise, resolve } = Promise.withResolvers<string>()
  const socket = connect({ host: '127.0.0.1', port, servername: 'broker.test', ca }, () => resolve('trusted'))
  socket.on('error', error => resolve(error.message))
  return promise.finally(() => {
    socket.destroy()
    server.close()
  })
}

describe('authorities of one name', () => {
  const authority = () => makeCertificate({ names: ['One name'] })
  const signedBy = (issuer: Certificate) => makeCertificate({ names: ['broker.test'], issuer })

  // Which of two of one name is found first depends on their bytes, so one pair alone may pass by luck.
  test('while one follows the other both are trusted', async () => {
    for (let pair = 0; pair < 6; pair++) {
      const [old, next] = [authority(), authority()]
      const both = old.cert + next.cert
      expect(await Promise.all([old, next].map(issuer => handshake(signedBy(issuer), both)))).toEqual(['trusted', 'trusted'])
    }
  })

  test('one that is not named is not trusted', async () => {
    expect(await handshake(signedBy(authority()), authority().cert)).not.toBe('trusted')
  })
})
