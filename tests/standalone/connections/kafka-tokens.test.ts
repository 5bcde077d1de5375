import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'bun:test'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Bus, createBus } from '@filmgate/kit/bus/bus'
import { askClientCredentials } from '@filmgate/kit/bus/login/client-credentials'
import { holdToken } from '@filmgate/kit/bus/login/token-login'
import { makeCertificate } from '@filmgate/kit/testing/certificate'
import pino from 'pino'
import { until } from '../../support/until'
import { startTokenBroker, type TokenBroker } from './token-broker'
import { audience, clientId, startTokenIssuer, type TokenIssuer } from './token-issuer'

const root = resolve(import.meta.dir, '../../..')
const hookTimeoutMs = 180_000
const testTimeoutMs = 180_000
const secret = 'the-secret-of-the-client'
const assertion = 'the.signed.assertion'
const topic = 'filmgate.requests.v1'

const dir = mkdtempSync(join(tmpdir(), 'filmgate-tokens-'))
const file = (name: string, text: string) => {
  writeFileSync(join(dir, name), text, { mode: 0o600 })
  return join(dir, name)
}
const authority = makeCertificate({ names: ['Filmgate test authority'] })
const caFile = file('ca.crt', authority.cert)
const named = makeCertificate({ names: ['localhost'], issuer: authority })
let issuer: TokenIssuer
let broker: TokenBroker
const logged: string[] = []

beforeAll(async () => {
  issuer = startTokenIssuer(secret, () => assertion, named)
  broker = await startTokenBroker(dir, issuer.urls.jwks, audience, named)
  const { exitCode, words } = await command(bySecret())
  expect([exitCode, words]).toEqual([0, expect.stringContaining(`${topic}: created`)])
}, hookTimeoutMs)
beforeEach(() => void Object.assign(issuer.next, { lifeSeconds: 300, audience, stranger: false, away: false }))
afterAll(async () => {
  await broker?.stop()
  await issuer?.stop()
  rmSync(dir, { recursive: true })
}, hookTimeoutMs)

const kafka = () => ({
  KAFKA_BROKERS: broker.address,
  FILMGATE_KAFKA_TLS: '1',
  FILMGATE_KAFKA_TLS_CA_FILE: caFile,
  FILMGATE_KAFKA_SASL_MECHANISM: 'oauthbearer',
})
const byClient = () => ({ ...kafka(), FILMGATE_KAFKA_OAUTH_TOKEN_URL: issuer.urls.secure, FILMGATE_KAFKA_SASL_USERNAME: clientId })
const bySecret = (words = secret) => ({ ...byClient(), FILMGATE_KAFKA_SASL_PASSWORD_FILE: file('secret', words) })

/** The topics command, as the chart's Job runs it. */
async function command(env: Record<string, string>) {
  const child = Bun.spawn([process.execPath, 'services/kit/bin/topics.ts'], {
    cwd: root,
    env: { ...process.env, NODE_EXTRA_CA_CERTS: caFile, FILMGATE_PARTITIONS: '2', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  logged.push(stdout, stderr)
  return { exitCode, words: `${stdout}${stderr}` }
}

/** A process that publishes and consumes, in the test's own. What it published and what came are counted. */
const open: Bus[] = []
function work() {
  const lines: string[] = []
  const keep = (line: string) => {
    lines.push(line)
    logged.push(line)
  }
  const log = pino({ level: 'info' }, { write: line => keep(line) })
  const client = { tokenUrl: issuer.urls.clear, scope: undefined, clientId: () => clientId, proof: { secret: () => secret } }
  const sasl = holdToken(() => askClientCredentials(client))
  const bus = createBus({ brokers: [broker.address], tls: { caFile }, sasl, clientId: 'tokens', log })
  open.push(bus)
  const mark = crypto.randomUUID()
  const [sent, got] = [new Set<string>(), new Set<string>()]
  const consumer = bus.consume({
    group: `tokens-${mark}`,
    topics: { [topic]: bytes => Buffer.from(bytes).toString() },
    async handle(messages) {
      for (const { event } of messages) if (event.startsWith(mark)) got.add(event)
    },
  })
  const says = (words: string) => lines.some(line => line.includes(words))
  async function publish(): Promise<void> {
    const value = `${mark} ${sent.size}`
    await bus.publish([{ topic, key: 'one', value: Buffer.from(value), headers: {} }])
    sent.add(value)
  }
  const arrived = () => until('all that was published', async () => sent.size > 0 && [...sent].every(value => got.has(value)), 60_000)
  return { consumer, lines, says, publish, arrived, sent, login: sasl }
}
afterEach(() => Promise.all(open.splice(0).map(bus => bus.stop())).then(() => undefined))

test(
  'a secret, an assertion and a token in a file let in; a wrong secret and a token of a stranger do not, and it is said which',
  async () => {
    const byAssertion = { ...byClient(), FILMGATE_KAFKA_OAUTH_ASSERTION_FILE: file('assertion', `${assertion}\n`) }
    const byFile = { ...kafka(), FILMGATE_KAFKA_OAUTH_TOKEN_FILE: file('token', issuer.sign()) }
    for (const env of [bySecret(), byAssertion, byFile])
      expect(await command(env)).toEqual({ exitCode: 0, words: 'topics are as declared\n' })

    const { host } = new URL(issuer.urls.secure)
    const wrong = await command(bySecret('another-secret'))
    expect([wrong.exitCode, wrong.words]).toEqual([
      1,
      expect.stringContaining(`no token for the broker: ${host} answered 401 invalid_client`),
    ])
    for (const next of [{ stranger: true }, { stranger: false, audience: 'another.example' }, { audience, lifeSeconds: -5 }]) {
      Object.assign(issuer.next, next)
      const refused = await command({ ...kafka(), FILMGATE_KAFKA_OAUTH_TOKEN_FILE: file('token', issuer.sign()) })
      expect([refused.exitCode, refused.words]).toEqual([1, expect.stringContaining('broker refuses the token')])
    }
  },
  testTimeoutMs,
)

test(
  'tokens of thirty seconds carry work over a minute: each is renewed before its end, and nothing is lost, refused or said',
  async () => {
    issuer.next.lifeSeconds = 30
    const { publish, arrived, lines, consumer, sent } = work()
    await until('a consumer that has joined', async () => consumer.joined(), 60_000)
    const [linesBefore, givenBefore] = [lines.length, issuer.given.length]
    for (const endMs = performance.now() + 65_000; performance.now() < endMs; await Bun.sleep(100)) await publish()
    await arrived()
    expect(sent.size).toBeGreaterThan(100)
    expect(issuer.given.length - givenBefore).toBeWithin(3, 7)
    expect(lines.slice(linesBefore)).toEqual([])
  },
  testTimeoutMs,
)

const letsIn = (publish: () => Promise<unknown>) =>
  until(
    'a broker that lets in',
    () =>
      publish().then(
        () => true,
        () => false,
      ),
    60_000,
  )

test(
  'an issuer that is away is not noticed for the rest of the token’s life; then its fault is said, and work goes on once it is back',
  async () => {
    issuer.next.lifeSeconds = 40
    const { publish, arrived, says } = work()
    await publish()
    issuer.next.away = true
    for (const endMs = performance.now() + 12_000; performance.now() < endMs; await Bun.sleep(200)) await publish()
    const { host } = new URL(issuer.urls.clear)
    await until('what is missing', async () => says(`no token for the broker: ${host} answered 503 temporarily_unavailable`), 60_000)
    issuer.next.away = false
    await letsIn(publish)
    await arrived()
  },
  testTimeoutMs,
)

test(
  'tokens that the broker stops taking are refused with words of their own, and asked for anew until it takes them',
  async () => {
    issuer.next.stranger = true
    const { publish, arrived, says } = work()
    await until('a refusal', async () => says('broker refuses the token'), 60_000)
    await expect(publish()).rejects.toThrow()
    issuer.next.stranger = false
    await letsIn(publish)
    await arrived()
  },
  testTimeoutMs,
)

test('no log of ours has a token or a secret in it', () => {
  const texts = logged.join('\n')
  expect(texts.length).toBeGreaterThan(1_000)
  for (const word of [secret, assertion, 'another-secret', ...issuer.given]) expect(texts).not.toContain(word)
})
