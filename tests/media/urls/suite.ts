import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { servers, until } from '@filmgate/kit/testing'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import { MediaKind } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import type { Report } from '../../support/suite/report'
import { makePicture } from '../support/make-media'
import { type MediaTopics, openMediaTopics } from '../support/media-topics'
import { orderOf } from '../support/orders'
import { keepLog, openProbe } from '../support/probe-process'
import type { Inside } from './inside'
import { makeLures } from './lures'
import type { Packets } from './namespace'
import { compareReaders } from './readers/compare'
import { redirectVectors } from './redirect-vectors'
import { certifiedNames, luringVectors, publicVectors, type Vector, vectors, zone } from './vectors'

/** Every URL family through the whole service, which runs in a network namespace where each packet is counted. */
export async function proveUrls(report: Report, prefix: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'media-urls-'))
  const control = join(folder, 'control.sock')
  const ca = makeCertificate({ names: ['media tests'] })
  await writeFile(join(folder, 'ca.pem'), ca.cert)
  const backends = await Promise.all(backendPorts().map(port => forward(port, join(folder, `${port}.sock`))))
  const topics = await openMediaTopics(prefix)
  const inside: Inside = {
    folder,
    control,
    backends,
    zone,
    files: await makeLures(folder),
    picture: await makePicture(folder, 'ok.jpg', 640, 480),
    certificates: certificates(ca),
  }
  await writeFile(join(folder, 'inside.json'), JSON.stringify(inside))
  const probe = await openProbe({
    prefix,
    wrap: [...namespace, process.execPath, resolve(import.meta.dir, 'inside.ts'), join(folder, 'inside.json')],
    // Without a namespace of their own, what the measuring children send is counted too.
    env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'), FILMGATE_FORBIDDEN_RANGES: '34.118.224.0/20' },
  })
  const ask = async <T>(path: string) => (await (await fetch(`http://inside${path}`, { unix: control })).json()) as T
  try {
    await probe.start()
    const before = await until('the counters to be set', () => ask<Packets>('/counts').catch(() => undefined))
    await decideAll(report, topics, vectors)
    await decideAll(report, topics, redirectVectors)
    await decideAll(report, topics, luringVectors)
    for (let from = 0; from < publicVectors.length; from += 40) await decideAll(report, topics, publicVectors.slice(from, from + 40))

    const after = await ask<Packets>('/counts')
    report.check('no packet to a forbidden address', after.forbidden === before.forbidden, `${after.forbidden - before.forbidden} packets`)
    report.check('packets to public addresses were counted', after.allowed > before.allowed + publicVectors.length)
    report.figure('urls.vectors', vectors.length + redirectVectors.length + luringVectors.length + publicVectors.length)
    report.figure('urls.packets_to_forbidden', after.forbidden - before.forbidden)
    report.figure('urls.packets_to_public', after.allowed - before.allowed)
    for (const address of ['10.96.0.1', '169.254.169.254', 'fd00:ec2::254']) {
      const [then, now] = [await ask<Packets>('/counts'), await ask<Packets>(`/trespass?address=${encodeURIComponent(address)}`)]
      report.check(`the counter sees a trespass to ${address}`, now.forbidden > then.forbidden)
    }
    checkAsked(report, await ask('/asked'))
    await compareReaders(report, namespace)
  } finally {
    await probe.stop()
    await keepLog(prefix, probe.log())
    await topics.stop()
    for (const { close } of backends) close()
    await rm(folder, { recursive: true, force: true })
  }
}

const namespace = process.getuid?.() === 0 ? ['unshare', '--net', '--mount'] : ['unshare', '--user', '--map-root-user', '--net', '--mount']

async function decideAll(report: Report, topics: MediaTopics, all: Vector[]): Promise<void> {
  for (let from = 0; from < all.length; from += inFlightMax) await decideSome(report, topics, all.slice(from, from + inFlightMax))
}

/** What one namespace's certificate checks and handshakes take on two cores without anybody's time running out. */
const inFlightMax = 200

async function decideSome(report: Report, topics: MediaTopics, some: Vector[]): Promise<void> {
  const orders = some.map(({ url, kind = MediaKind.IMAGE }) => orderOf({ inputs: [{ kind, url }] }))
  await topics.reserve(orders)
  await Promise.all(
    orders.map(async (order, index) => {
      const vector = some[index]
      const outcome = await topics.outcome(order, 120_000).catch(error => ({ code: String(error) }))
      report.check(
        `url ${vector?.name}`,
        vector?.codes.includes(outcome.code) ?? false,
        `${outcome.code}, expected ${vector?.codes.join(' or ')}`,
      )
    }),
  )
}

/** What the hosts saw: one GET a file, no HEAD, no other method, no other port. */
function checkAsked(report: Report, asked: Record<string, number>): void {
  report.check('a file is fetched once', asked['GET /changes'] === 1, `${asked['GET /changes']} times`)
  const odd = Object.keys(asked).filter(what => !what.startsWith('GET '))
  report.check('nothing but GET on port 443', odd.length === 0, odd.join(', '))
}

function certificates(issuer: { cert: string; key: string }): Inside['certificates'] {
  const [yesterday, before] = [new Date(Date.now() - 86_400_000), new Date(Date.now() - 3 * 86_400_000)]
  return {
    main: makeCertificate({ names: certifiedNames, issuer }),
    expired: makeCertificate({ names: certifiedNames, issuer, notBefore: before, notAfter: yesterday }),
    selfsigned: makeCertificate({ names: certifiedNames }),
    wrongname: makeCertificate({ names: ['other.example.net'], issuer }),
  }
}

const backendPorts = () =>
  [new URL(servers.postgresUrl).port, new URL(servers.s3.endpoint).port, servers.kafkaBrokers[0]?.split(':')[1]].map(Number)

/** A unix socket crosses network namespaces: what connects to it reaches the port out here. */
async function forward(port: number, socket: string): Promise<{ port: number; socket: string; close(): void }> {
  const server = createServer(client => {
    const backend = connect(port, '127.0.0.1')
    client.pipe(backend).pipe(client)
    client.on('error', () => backend.destroy()).on('close', () => backend.destroy())
    backend.on('error', () => client.destroy()).on('close', () => client.destroy())
  })
  await new Promise<void>(done => server.listen(socket, done))
  return { port, socket, close: () => server.close() }
}
