import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { makeCertificate } from '@filmgate/kit/testing/certificate'

export type MediaHost = {
  origin: string
  /** The same URL under the host's second name: another host to whoever counts hosts. */
  alias(url: string): string
  /** What media-probe needs to fetch from here. */
  env: Record<string, string>
  /** Serves a body (or what `answer` makes) under a new path, and returns its URL. */
  serve(body: Uint8Array | Bun.BunFile | ((request: Request) => Response | Promise<Response>)): string
  /** How often a URL was asked for. */
  asked(url: string): number
  stop(): Promise<void>
}

/** An HTTPS host of this machine that media-probe is allowed to fetch from by its development setting. */
export async function openMediaHost(): Promise<MediaHost> {
  const certificate = makeCertificate({ names: ['localhost', '127.0.0.1'] })
  const folder = await mkdtemp(join(tmpdir(), 'media-host-'))
  const ca = join(folder, 'ca.pem')
  await writeFile(ca, certificate.cert)
  const bodies = new Map<string, Parameters<MediaHost['serve']>[0]>()
  const counts = new Map<string, number>()
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    tls: certificate,
    idleTimeout: 0,
    fetch(request) {
      const { pathname } = new URL(request.url)
      counts.set(pathname, (counts.get(pathname) ?? 0) + 1)
      const body = bodies.get(pathname)
      if (typeof body === 'function') return body(request)
      return body ? new Response(body) : new Response('', { status: 404 })
    },
  })
  const origin = `https://localhost:${server.port}`
  return {
    origin,
    alias: url => url.replace('localhost', '127.0.0.1'),
    env: { FILMGATE_SAMPLE_MEDIA_ORIGIN: `${origin},https://127.0.0.1:${server.port}`, FILMGATE_SAMPLE_MEDIA_CA: ca },
    serve(body) {
      const path = `/${bodies.size}`
      bodies.set(path, body)
      return `${origin}${path}`
    },
    asked: url => counts.get(new URL(url).pathname) ?? 0,
    async stop() {
      await server.stop(true)
      await rm(folder, { recursive: true, force: true })
    },
  }
}
