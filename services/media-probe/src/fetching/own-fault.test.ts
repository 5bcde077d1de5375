import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { create } from '@bufbuild/protobuf'
import { type NameReply, startNameServer } from '@filmgate/kit/testing/name-server'
import { KindLimitsSchema } from '@filmgate/proto/gen/filmgate/v1/order_pb'
import { createByteBudget } from './byte-budget'
import { download } from './download'
import { createNetwork, createNetworkCheck } from './network'

let folder: string
/** Accepts connections and sends nothing. */
let mute: Server
/** Nothing listens there, and no test's server is given it, as it might one that was just closed. */
const closedPort = 1
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-fault-'))
  mute = await listening(() => undefined)
})
afterAll(async () => {
  mute.close()
  await rm(folder, { recursive: true, force: true })
})

const portOf = (server: Server) => (server.address() as AddressInfo).port
async function listening(onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer(socket => onSocket(socket.on('error', () => undefined))).listen(0, '127.0.0.1')
  await new Promise(done => server.once('listening', done))
  return server
}

const fetchLimits = { dnsTimeoutMs: 500, connectTimeoutMs: 1_000, headersTimeoutMs: 500, rateWindowMs: 200 }
const asHosts = { reason: 'media_unreachable' }
const asOurs = (part: 'dns' | 'egress') => ({ name: 'OwnFault', part })

type Setting = { nameServer?: string; controls?: number[]; totalTimeoutMs?: number }

/** The result of downloading this URL; egress is checked by connections to these ports. */
async function endOf(url: string, { nameServer, controls = [], totalTimeoutMs = 120_000 }: Setting): Promise<unknown> {
  const nameServers = nameServer === undefined ? undefined : [nameServer]
  const policy = {
    forbiddenRanges: [],
    trustedOrigins: [{ origin: new URL(url).origin }].filter(({ origin }) => origin.startsWith('http:')),
    ...(nameServers && { nameServers }),
  }
  const network = createNetwork(
    nameServers,
    controls.map(port => ({ host: '127.0.0.1', port })),
  )
  const path = join(folder, crypto.randomUUID())
  const limits = create(KindLimitsSchema, { formats: ['png'] })
  const input = { url, accountId: 'a', path, limits, budget: createByteBudget(1_000_000), signal: new AbortController().signal }
  const deps = { policy, network, fetchLimits: { ...fetchLimits, totalTimeoutMs }, onBytes: () => undefined }
  return download(deps, input).catch(error => error)
}

/** A name server with these replies for the client's host and for other names. */
async function endOfName(host: NameReply, others: NameReply): Promise<unknown> {
  const server = await startNameServer(name => (name === 'media.example.com' ? host : others))
  try {
    return await endOf('https://media.example.com/a.png', { nameServer: server.address })
  } finally {
    await server.stop()
  }
}

test.each<[NameReply, NameReply]>([
  ['silent', 'silent'],
  ['serverFails', 'serverFails'],
  ['silent', 'serverFails'],
])('a name server that is %s about the host and %s about other names is our own fault', async (host, others) => {
  expect(await endOfName(host, others)).toMatchObject(asOurs('dns'))
})

test.each<[NameReply, NameReply]>([
  ['noSuchName', 'silent'],
  ['noError', 'silent'],
  ['silent', 'noSuchName'],
  ['serverFails', 'noSuchName'],
])('a name server that is %s about the host and %s about other names is the host’s fault', async (host, others) => {
  expect(await endOfName(host, others)).toMatchObject(asHosts)
})

const isControl = (name: string) => /^[0-9a-f]{24}\.com$/.test(name)

test('the DNS check resolves a different random name each time', async () => {
  const server = await startNameServer(name => (isControl(name) ? 'noSuchName' : 'serverFails'))
  for (const _ of [1, 2]) await endOf('https://media.example.com/a.png', { nameServer: server.address })
  await server.stop()
  const controls = server.asked.filter(name => name !== 'media.example.com')
  expect(controls.filter(name => !isControl(name))).toEqual([])
  expect(new Set(controls).size).toBeGreaterThan(1)
})

test('a name server outage between the query and our check is not the host’s fault', async () => {
  let silent = true
  const server = await startNameServer(name => {
    if (isControl(name)) silent = false
    return silent ? 'silent' : 'noSuchName'
  })
  const end = await endOf('https://media.example.com/a.png', { nameServer: server.address })
  await server.stop()
  expect(end).toMatchObject({ ...asHosts, message: 'no address' })
})

test('a refused connection is the host’s fault if any egress control accepts connections, else ours', async () => {
  const url = `http://127.0.0.1:${closedPort}/a.png`
  expect(await endOf(url, { controls: [closedPort, portOf(mute)] })).toMatchObject(asHosts)
  expect(await endOf(url, { controls: [closedPort] })).toMatchObject(asOurs('egress'))
})

const head = 'HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n'
const sends = (socket: Socket) => void socket.write(`${head}\x89PNG`)
const breaksOff = (socket: Socket) => {
  sends(socket)
  setTimeout(() => socket.resetAndDestroy(), 50)
}
test.each<[string, (socket: Socket) => void]>([
  ['falls silent before its headers', () => undefined],
  ['falls silent in the middle of a file', socket => void socket.once('data', () => sends(socket))],
  ['breaks off before its headers', socket => void socket.once('data', () => socket.resetAndDestroy())],
  ['breaks off in the middle of a file', socket => void socket.once('data', () => breaksOff(socket))],
])('a host that %s is at fault if our egress works, else we are', async (_, onSocket) => {
  const host = await listening(onSocket)
  const url = `http://127.0.0.1:${portOf(host)}/a.png`
  expect(await endOf(url, { controls: [portOf(mute)] })).toMatchObject(asHosts)
  expect(await endOf(url, { controls: [closedPort] })).toMatchObject(asOurs('egress'))
  host.close()
})

test('an unreachable host is tried twice within the time of one fetch', async () => {
  let asked = 0
  const server = await startNameServer(name => {
    if (name === 'media.example.com') asked += 1
    return isControl(name) ? 'noSuchName' : 'serverFails'
  })
  const beganMs = performance.now()
  expect(await endOf('https://media.example.com/a.png', { nameServer: server.address, totalTimeoutMs: 2_000 })).toMatchObject(asHosts)
  expect(performance.now() - beganMs).toBeLessThan(10_000)
  await server.stop()
  expect(asked).toBeGreaterThanOrEqual(4)
})

test('many failing hosts cause only two network checks, and each fetch gets a check that started after it', async () => {
  let looks = 0
  const control = createNetworkCheck(async () => {
    looks += 1
    await Bun.sleep(20)
    return true
  })
  const first = control(performance.now())
  await Bun.sleep(10)
  const others = Array.from({ length: 100 }, () => control(performance.now()))
  expect(await first).toBe(true)
  expect(looks).toBe(1)
  expect(await Promise.all(others)).toEqual(others.map(() => true))
  expect(looks).toBe(2)
})

test('a failed check counts for every fetch that started before it, whatever the next check shows', async () => {
  const looks = [false, true, true]
  const control = createNetworkCheck(async () => looks.shift() ?? true)
  const beganMs = performance.now()
  expect(await control(beganMs)).toBe(false)
  expect(await control(beganMs)).toBe(false)
  expect(await control(performance.now())).toBe(true)
})
