import { type Account, openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { audit } from '../support/operator/operator'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { startBarePipeline } from './support/bare-pipeline'
import { measureKafkaHop } from './support/kafka-hop'
import { type Load, postLoad } from './support/post-load'
import { median, type Row, shown } from './support/row'

const hopsMax = 6
const perSecondMin: Record<number, number> = { 16: 500, 64: 1_000 }
/**
 * The marks come from a machine whose bare pipeline took 5 ms alone and did 925 a second for 16 clients and 2,100 for 64. What they ask for
 * beside a bare pipeline holds on any machine.
 */
const aloneOfBareMax = 1.56
const ofBareMin: Record<number, number> = { 16: 0.54, 64: 0.48 }
/**
 * What counts is how the lines run, not how they start: until then the broker's virtual machine and the services still compile themselves.
 * After 40 s of load the broker's compiler took 3.2 ms of a POST alone, after 100 s nothing.
 */
const warmUpSeconds = 60
const seconds = 5
const rounds = 3

/** POST → 202 through the whole pipeline, its provider accepting at once and rendering nothing, beside the round trip of a bare hop and a bare pipeline over the same broker. */
export default async function measurePosts(): Promise<Row[]> {
  const words = ownWords()
  await simulator.behave(words, [{ name: 'never_finishes' }])
  const accounts = await Promise.all(Array.from({ length: 64 }, () => openAccount({ credits: 1_000_000_000 })))
  const body = Buffer.from(JSON.stringify(smallRequest({ prompt: words })))
  const bare = await startBarePipeline()
  const ourUrl = `${settings.url}/video/generations`
  const ours = (connections: number, forSeconds = seconds) =>
    postLoad(ourUrl, { connections, seconds: forSeconds, next: connection => request(ourUrl, body, accounts[connection]) })
  const theirs = (connections: number, forSeconds = seconds) =>
    postLoad(bare.url, { connections, seconds: forSeconds, next: () => request(bare.url, body) })
  try {
    await ours(64, warmUpSeconds)
    await theirs(64, warmUpSeconds)
    const rows = await aloneRows(ours, theirs)
    for (const clients of [16, 64]) rows.push(...(await crowdRows(clients, ours, theirs)))
    const findings = await audit()
    return [...rows, row('auditor’s findings afterwards', null, findings.length, 'findings', 0, findings.length === 0)]
  } finally {
    await bare.stop()
  }
}

type Measure = (connections: number) => Promise<Load>

async function aloneRows(ours: Measure, theirs: Measure): Promise<Row[]> {
  const hopMs = median([await measureKafkaHop(), await measureKafkaHop(), await measureKafkaHop()])
  const loads = await byTurns(1, ours, theirs)
  const all = allAccepted(loads)
  const p50Ms = median(loads.map(([our]) => our.p50Ms))
  const hops = p50Ms / hopMs
  const ofBare = median(loads.map(([our, their]) => our.p50Ms / their.p50Ms))
  return [
    shown('round trip of one Kafka hop, p50', hopMs, 'ms'),
    row('POST → 202 alone, p50 in Kafka hops (at most)', hops, p50Ms, 'ms', hopsMax, all && hops <= hopsMax),
    row('POST → 202 alone, p50, of a bare pipeline’s (at most)', ofBare, ofBare, 'ratio', aloneOfBareMax, all && ofBare <= aloneOfBareMax),
    shown('POST → 202 alone, p99', median(loads.map(([our]) => our.p99Ms)), 'ms'),
  ]
}

async function crowdRows(clients: number, ours: Measure, theirs: Measure): Promise<Row[]> {
  const loads = await byTurns(clients, ours, theirs)
  const all = allAccepted(loads)
  const of = (figure: (load: Load) => number) => median(loads.map(([our]) => figure(our)))
  const perSecond = of(load => load.perSecond)
  const ofBare = median(loads.map(([our, their]) => our.perSecond / their.perSecond))
  const mark = perSecondMin[clients] ?? 0
  const markOfBare = ofBareMin[clients] ?? 0
  const name = `POST → 202, ${clients} clients`
  return [
    row(name, null, perSecond, 'accepted/s', mark, all && perSecond >= mark),
    row(`${name}, of a bare pipeline’s`, ofBare, ofBare, 'ratio', markOfBare, all && ofBare >= markOfBare),
    shown(
      `${name}, p50`,
      of(load => load.p50Ms),
      'ms',
    ),
    shown(
      `${name}, p99`,
      of(load => load.p99Ms),
      'ms',
    ),
  ]
}

/** Figures of those that were accepted hold nothing where others were refused: then their statuses are told. */
function allAccepted(loads: [our: Load, their: Load][]): boolean {
  const refused = loads.flat().filter(load => Object.keys(load.refused).length > 0)
  for (const load of refused) console.error(`Not all were accepted: ${JSON.stringify(load.refused)}`)
  return refused.length === 0
}

/** By turns, so that what else the machine does falls on both. */
async function byTurns(clients: number, ours: Measure, theirs: Measure): Promise<[our: Load, their: Load][]> {
  const loads: [Load, Load][] = []
  for (let round = 0; round < rounds; round++) loads.push([await ours(clients), await theirs(clients)])
  return loads
}

const row = (name: string, ratio: number | null, value: number, unit: string, mark: number, holds: boolean): Row => ({
  name,
  ratio,
  value,
  unit,
  mark,
  holds,
})

function request(url: string, body: Buffer, account?: Account): Buffer {
  const { host, pathname } = new URL(url)
  const key = account ? `authorization: Bearer ${account.apiKey}\r\nidempotency-key: ${crypto.randomUUID()}\r\n` : ''
  const head = `POST ${pathname} HTTP/1.1\r\nhost: ${host}\r\n${key}content-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}
