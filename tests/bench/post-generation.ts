import { type Account, openAccount } from '../support/account'
import { audit } from '../support/operator'
import { ownWords, smallRequest } from '../support/request'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { measureKafkaHop } from './support/kafka-hop'
import { type Load, postLoad } from './support/post-load'
import { median, type Row, shown } from './support/row'

const hopsMax = 6
const perSecondMin: Record<number, number> = { 16: 500, 64: 1_000 }
/** What counts is how the line runs, not how it starts: until then the broker's virtual machine and the services still compile themselves. */
const warmUpSeconds = 30
const seconds = 5
const rounds = 3

/** POST → 202 through the whole line, its maker accepting at once and rendering nothing, beside one bare hop over the same broker. */
export default async function measurePosts(): Promise<Row[]> {
  const words = ownWords()
  await simulator.behave(words, [{ name: 'never_finishes' }])
  const accounts = await Promise.all(Array.from({ length: 64 }, () => openAccount({ credits: 1_000_000_000 })))
  const body = Buffer.from(JSON.stringify(smallRequest({ prompt: words })))
  const load = (connections: number, forSeconds: number) =>
    postLoad(settings.url, { connections, seconds: forSeconds, next: connection => request(accounts[connection], body) })

  await load(64, warmUpSeconds)
  const hopMs = median([await measureKafkaHop(), await measureKafkaHop(), await measureKafkaHop()])
  const alone = await load(1, seconds)
  const rows: Row[] = [
    shown('round trip of one Kafka hop, p50', hopMs, 'ms'),
    row('POST → 202 alone, p50 in Kafka hops (at most)', alone.p50Ms / hopMs, alone.p50Ms, 'ms', hopsMax, alone.p50Ms / hopMs <= hopsMax),
    shown('POST → 202 alone, p99', alone.p99Ms, 'ms'),
  ]
  for (const clients of [16, 64]) {
    const loads: Load[] = []
    for (let round = 0; round < rounds; round++) loads.push(await load(clients, seconds))
    const of = (figure: (load: Load) => number) => median(loads.map(figure))
    const clean = loads.every(({ refused }) => Object.keys(refused).length === 0)
    if (!clean) console.log(JSON.stringify(loads.map(({ refused }) => refused)))
    const perSecond = of(each => each.perSecond)
    const mark = perSecondMin[clients] ?? 0
    rows.push(row(`POST → 202, ${clients} clients`, null, perSecond, 'accepted/s', mark, clean && perSecond >= mark))
    rows.push(
      shown(
        `POST → 202, ${clients} clients, p50`,
        of(each => each.p50Ms),
        'ms',
      ),
    )
    rows.push(
      shown(
        `POST → 202, ${clients} clients, p99`,
        of(each => each.p99Ms),
        'ms',
      ),
    )
  }
  const findings = await audit()
  rows.push(row('auditor’s findings afterwards', null, findings.length, 'findings', 0, findings.length === 0))
  return rows
}

const row = (name: string, ratio: number | null, value: number, unit: string, mark: number, holds: boolean): Row => ({
  name,
  ratio,
  value,
  unit,
  mark,
  holds,
})

const host = new URL(settings.url).host
const path = `${new URL(settings.url).pathname}/video/generations`

function request(account: Account | undefined, body: Buffer): Buffer {
  const head =
    `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${account?.apiKey}\r\ncontent-type: application/json\r\n` +
    `idempotency-key: ${crypto.randomUUID()}\r\ncontent-length: ${body.length}\r\n\r\n`
  return Buffer.concat([Buffer.from(head), body])
}
