import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import tls from 'node:tls'
import { Failure } from '../failure'
import { until } from '../testing'
import { makeCertificate } from '../testing/certificate'
import { hostileAnswers } from '../testing/hostile-answers'
import type { FetchPolicy } from './fetch-policy'
import { safeFetch } from './safe-fetch'

/** Short waits, so that every one of them is met; a rate that a body of a few bytes keeps up for one window. */
const limits = { totalTimeoutMs: 10_000, headersTimeoutMs: 2_500, rateWindowMs: 1_000, bytesPerSecondMin: 100, bodyBytesMax: 1_000_000 }
const inFlightMax = 50

const certificate = makeCertificate({ names: ['localhost'] })
const server = tls.createServer({ ...certificate, allowHalfOpen: true } as tls.TlsOptions, socket => {
  // Half open, it keeps its own side until ours is gone.
  socket.on('error', () => undefined).on('end', () => socket.destroy())
  socket.once('data', data => hostileAnswers[Number(data.toString().split(' ')[1]?.slice(1))]?.answer(socket))
})
const mute = createServer(socket => void socket.on('error', () => undefined))
let policy: FetchPolicy
let muteOrigin: string
beforeAll(async () => {
  for (const one of [server, mute]) await new Promise<void>(resolve => one.listen(0, '127.0.0.1', resolve))
  const [origin, other] = [server, mute].map(one => `https://localhost:${(one.address() as AddressInfo).port}`)
  muteOrigin = other ?? ''
  policy = { forbiddenRanges: [], trustedOrigins: [origin, other].map(one => ({ origin: one ?? '', ca: certificate.cert })) }
})
afterAll(() => {
  server.close()
  mute.close()
})

async function fetched(url: string, own: object = {}): Promise<unknown> {
  try {
    const { body } = await safeFetch(policy, { url, limits: { ...limits, ...own } })
    let text = ''
    for await (const chunk of body) text += Buffer.from(chunk).toString('latin1')
    return { body: text }
  } catch (error) {
    return error instanceof Failure ? error.reason : `no refusal but ${error}`
  }
}

const openFiles = () => readdirSync('/proc/self/fd').length
const urlOf = (index: number) => `${policy.trustedOrigins[0]?.origin}/${index}`

test('every status, upgrade, half-close and endless answer ends in its own refusal within the bounds, and no connection is left', async () => {
  const before = openFiles()
  const ends: [string, unknown][] = []
  const startedAt = performance.now()
  for (let from = 0; from < hostileAnswers.length; from += inFlightMax)
    ends.push(
      ...(await Promise.all(
        hostileAnswers
          .slice(from, from + inFlightMax)
          .map(async ({ name }, index): Promise<[string, unknown]> => [name, await fetched(urlOf(from + index))]),
      )),
    )
  expect(Object.fromEntries(ends)).toEqual(Object.fromEntries(hostileAnswers.map(({ name, outcome }) => [name, outcome])))
  expect(performance.now() - startedAt).toBeLessThan(60_000)
  await until('the connections to be closed', () => openFiles() <= before + 2)
})

test('a handshake that never ends is ended by a timer of ours, and so is its connection', async () => {
  const before = openFiles()
  expect(await fetched(`${muteOrigin}/`, { handshakeTimeoutMs: 200 })).toBe('unreachable')
  await until('the connection to be closed', () => openFiles() <= before)
})

test('a body that nobody reads lets go of its connection when its reader gives it up', async () => {
  const index = hostileAnswers.findIndex(({ name }) => name === 'a whole answer on a connection that stays')
  const before = openFiles()
  const { body } = await safeFetch(policy, { url: urlOf(index), limits })
  await body.return()
  await until('the connection to be closed', () => openFiles() <= before)
})
