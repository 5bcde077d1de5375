import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import tls from 'node:tls'
import { makeCertificate } from '@filmgate/kit/testing/certificate'

export type RawHost = {
  origin: string
  /** Connections that the other side has not let go of. */
  connections(): number
  /** What media-probe needs to fetch from here. */
  env: Record<string, string>
  stop(): Promise<void>
}

/** A TLS host that answers byte by byte what it is told for a path, and keeps its own side of a connection until the other is gone. */
export async function openRawHost(answer: (path: string, socket: Socket) => void): Promise<RawHost> {
  const certificate = makeCertificate({ names: ['localhost'] })
  const folder = await mkdtemp(join(tmpdir(), 'raw-host-'))
  const ca = join(folder, 'ca.pem')
  await writeFile(ca, certificate.cert)
  // Half-open sockets are an option of net's servers; a TLS server hands it on.
  const options: tls.TlsOptions & { allowHalfOpen: boolean } = { ...certificate, allowHalfOpen: true }
  let connections = 0
  const server = tls.createServer(options, socket => {
    connections += 1
    socket
      .on('error', () => undefined)
      .on('end', () => socket.destroy())
      .on('close', () => {
        connections -= 1
      })
    socket.once('data', data => answer(data.toString('latin1').split(' ')[1] ?? '', socket))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    connections: () => connections,
    env: { FILMGATE_SAMPLE_MEDIA_ORIGIN: origin, FILMGATE_SAMPLE_MEDIA_CA: ca },
    async stop() {
      server.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
