import { readFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Certificate } from '@filmgate/kit/testing/certificate'
import { fileAnswers, makeAnswers } from './answers'
import { startDnsServer, type Zone } from './dns-server'
import { countPackets, faultyPort, makeInternet } from './namespace'

/** What the suite outside hands over, as JSON in a file. */
export type Inside = {
  folder: string
  /** Port on 127.0.0.1 → unix socket that leads to the same port outside. */
  backends: { port: number; socket: string }[]
  control: string
  zone: Zone
  picture: string
  /** Served under /file/NAME: name → path. */
  files: Record<string, string>
  certificates: Record<'main' | 'expired' | 'selfsigned' | 'wrongname', Certificate>
}

/**
 * Runs in a network namespace of its own: makes it an internet, then runs the service given on the command line in it, and counts.
 */
const inside: Inside = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'))
const asked = new Map<string, number>()
await makeInternet(
  inside.backends.map(({ port }) => port),
  inside.folder,
)
await startDnsServer(inside.zone)
for (const { port, socket } of inside.backends) createServer(client => pair(client, connect(socket))).listen(port, '127.0.0.1')

const answers = { ...makeAnswers(readFileSync(inside.picture)), ...fileAnswers(inside.files) }
const { main, expired, selfsigned, wrongname } = inside.certificates
serveTls(main, 443)
serveTls(expired, faultyPort('expired'))
serveTls(selfsigned, faultyPort('selfsigned'))
serveTls(wrongname, faultyPort('wrongname'))
createServer(() => undefined).listen(faultyPort('stalled'), '::')
createServer(socket => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n')).listen(faultyPort('plaintext'), '::')
createServer(socket => void socket.resetAndDestroy()).listen(faultyPort('resets'), '::')
// The other ports that a URL may name: whoever asks here has gone too far.
for (const port of [22, 25, 80, 6379, 8080, 8443])
  createServer(socket => {
    note(`port ${port}`)
    socket.destroy()
  }).listen(port, '::')

Bun.serve({
  unix: inside.control,
  async fetch(request) {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/asked') return Response.json(Object.fromEntries(asked))
    // The counter is shown to count: one connection that must be seen.
    if (pathname === '/trespass')
      await new Promise<void>(resolve =>
        connect({ host: searchParams.get('address') ?? '', port: 443 })
          .on('connect', resolve)
          .on('error', () => resolve()),
      )
    return Response.json(await countPackets())
  },
})

const service = Bun.spawn(process.argv.slice(3), { stdio: ['ignore', 'inherit', 'inherit'], env: process.env })
process.on('SIGTERM', () => service.kill('SIGTERM'))
process.exit(await service.exited)

function serveTls(certificate: Certificate, port: number): void {
  const server = createTlsServer(certificate, socket => {
    socket.on('error', () => undefined)
    socket.once('data', data => {
      const [method = '', target = '/'] = data.toString('latin1').split(' ')
      const { pathname, searchParams } = new URL(target, 'https://x/')
      note(`${method} ${pathname}`)
      const answer = answers[pathname]
      if (answer) answer(socket, searchParams)
      else socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n')
    })
  })
  server.on('tlsClientError', () => undefined)
  server.listen(port, '::')
}

function note(what: string): void {
  asked.set(what, (asked.get(what) ?? 0) + 1)
}

function pair(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one)
  for (const [socket, peer] of [
    [one, other],
    [other, one],
  ] as const) {
    socket.on('error', () => peer.destroy())
    socket.on('close', () => peer.destroy())
  }
}
