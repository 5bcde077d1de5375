import { afterAll, beforeAll, expect, test } from 'bun:test'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type SecureBroker, startSecureBroker, user } from '../support/servers/secure-broker'
import { type SecureServices, startSecureServices } from '../support/servers/secure-services'
import { settings } from '../support/settings'
import { until } from '../support/until'

const root = resolve(import.meta.dir, '../..')
const passwords = { scram: 'first-scram-password', plain: 'plain-password', wrong: 'no-password-of-ours', rotated: 'second-scram-password' }
const hookTimeoutMs = 180_000
const testTimeoutMs = 180_000
/** A login is tried again within seconds; a busy machine takes longer. */
const loginMsMax = 60_000
const refused = 'broker refuses the user name or password'
const untrusted = "broker's certificate is not trusted"

const dir = mkdtempSync(join(tmpdir(), 'filmgate-secure-'))
const caFile = join(dir, 'ca.crt')
const passwordFile = join(dir, 'password')
let broker: SecureBroker
let services: SecureServices
/** What every process is told, as the charts tell it. */
let env: Record<string, string>

beforeAll(async () => {
  broker = await startSecureBroker(passwords)
  env = {
    KAFKA_BROKERS: broker.brokers.sasl,
    FILMGATE_KAFKA_TLS: '1',
    FILMGATE_KAFKA_TLS_CA_FILE: caFile,
    FILMGATE_KAFKA_SASL_MECHANISM: 'scram-sha-512',
    FILMGATE_KAFKA_SASL_USERNAME: user,
    FILMGATE_KAFKA_SASL_PASSWORD_FILE: passwordFile,
    FILMGATE_PARTITIONS: '2',
  }
  copyFileSync(broker.files.strangersCa, caFile)
  writeFileSync(passwordFile, passwords.wrong)
  services = await startSecureServices(env)
}, hookTimeoutMs)

afterAll(async () => {
  await services?.stop()
  await broker?.stop()
  rmSync(dir, { recursive: true })
}, hookTimeoutMs)

/** A command of ours as an operator or the chart's Job starts it. */
async function command(script: string[], own: Record<string, string> = {}) {
  const child = Bun.spawn([process.execPath, ...script], {
    cwd: root,
    env: { ...process.env, ...env, ...own },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  const words = `${stdout}${stderr}`
  for (const secret of Object.values(passwords)) expect(words).not.toContain(secret)
  return { exitCode, words, stdout }
}
const declareTopics = (own: Record<string, string> = {}) => command(['services/kit/bin/topics.ts'], own)
const listLetters = (own: Record<string, string> = {}) => command(['tools/ops.ts', 'dlq', 'list', '--json'], own)

const gateway = <T>(path: string, bearer: string, body?: object): Promise<T> =>
  fetch(`${services.url('gateway')}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json', 'x-filmgate-operator': 'ada' },
    body: body && JSON.stringify(body),
    keepalive: false,
  }).then(response => response.json() as Promise<T>)

type Opened = { account_id: string; api_key: string }
const openAccount = (credits: number) => gateway<Opened>('/operator/accounts', settings.operatorToken, { name: 'secure', credits })

/** A grant goes from the gateway over Kafka to the ledger and back: what both publish, consume and read as a table works. */
const creditsArrive = ({ api_key }: Opened, credits: number) =>
  until(
    'credits of a new account',
    async () => (await gateway<{ available_credits: number }>('/api/v1/credits', api_key)).available_credits === credits,
    loginMsMax,
  )

test(
  'a broker signed by a stranger, then a password it refuses: every service waits, says which of both without the secret, and serves once the files are right',
  async () => {
    await services.allSay(untrusted)
    expect(await services.ready()).toEqual([])
    expect(await declareTopics()).toMatchObject({ exitCode: 1, words: expect.stringContaining(untrusted) })

    copyFileSync(broker.files.ca, caFile)
    await services.allSay(refused, loginMsMax)
    expect(await services.ready()).toEqual([])
    expect(await (await fetch(`${services.url('ledger')}/metrics`)).text()).toMatch(/^bus_broker_refuses(\{.*\})? 1$/m)
    expect(await declareTopics()).toMatchObject({ exitCode: 1, words: expect.stringContaining(refused) })
    expect(await listLetters()).toMatchObject({ exitCode: 1, words: expect.stringContaining(`The ${refused}`) })

    writeFileSync(passwordFile, `${passwords.scram}\n`)
    expect(await declareTopics()).toMatchObject({ exitCode: 0, words: expect.stringContaining('filmgate.requests.v1: created') })
    await until('every service ready', async () => (await services.ready()).length === 3, loginMsMax)
    await creditsArrive(await openAccount(70), 70)
    const { data } = await gateway<{ data: unknown[] }>('/api/v1/models', (await openAccount(1)).api_key)
    expect(data.length).toBeGreaterThan(20)
    await until('the lag of the groups', async () =>
      /^bus_consumer_lag\{/m.test(await (await fetch(`${services.url('catalog')}/metrics`)).text()),
    )
  },
  testTimeoutMs,
)

test(
  'a password changed at the broker under work: what was asked meanwhile waits, nothing is set aside, and it goes on once the file says the new one',
  async () => {
    const before = services.logs().length
    await broker.setPassword(passwords.rotated)
    await until('a service that is refused', async () => services.logs().slice(before).includes(refused), loginMsMax)
    const opened = await openAccount(71)
    expect(await listLetters()).toMatchObject({ exitCode: 1, words: expect.stringContaining(refused) })

    writeFileSync(passwordFile, passwords.rotated)
    await creditsArrive(opened, 71)
    const letters = await listLetters()
    expect([letters.exitCode, JSON.parse(letters.stdout)]).toEqual([0, []])
  },
  testTimeoutMs,
)

test(
  'PLAIN, SCRAM-SHA-256 and a certificate of ours let in likewise, and none of them lets in without',
  async () => {
    const plain = {
      FILMGATE_KAFKA_SASL_MECHANISM: 'plain',
      FILMGATE_KAFKA_SASL_PASSWORD_FILE: '',
      FILMGATE_KAFKA_SASL_PASSWORD: passwords.plain,
    }
    const scram256 = {
      FILMGATE_KAFKA_SASL_MECHANISM: 'scram-sha-256',
      FILMGATE_KAFKA_SASL_PASSWORD_FILE: '',
      FILMGATE_KAFKA_SASL_PASSWORD: passwords.scram,
    }
    const nobody = { FILMGATE_KAFKA_SASL_MECHANISM: '', FILMGATE_KAFKA_SASL_USERNAME: '', FILMGATE_KAFKA_SASL_PASSWORD_FILE: '' }
    const stranger = { ...nobody, KAFKA_BROKERS: broker.brokers.certificate }
    const certificate = {
      ...stranger,
      FILMGATE_KAFKA_TLS_CERT_FILE: broker.files.certificate,
      FILMGATE_KAFKA_TLS_KEY_FILE: broker.files.key,
    }
    for (const let_in of [plain, scram256, certificate])
      expect(await declareTopics(let_in)).toMatchObject({ exitCode: 0, words: 'topics are as declared\n' })
    const wrong = await Promise.all(
      [
        { ...plain, FILMGATE_KAFKA_SASL_PASSWORD: passwords.wrong },
        { ...scram256, FILMGATE_KAFKA_SASL_PASSWORD: passwords.wrong },
        stranger,
      ].map(declareTopics),
    )
    expect(wrong.map(({ exitCode }) => exitCode)).toEqual([1, 1, 1])
    expect(wrong.map(({ words }) => words.split(':')[0])).toEqual([refused, refused, 'broker refuses our certificate, or asks for one'])
  },
  testTimeoutMs,
)

test('no log has a secret in it', () => {
  const logs = services.logs()
  expect(logs.length).toBeGreaterThan(1_000)
  for (const secret of Object.values(passwords)) expect(logs).not.toContain(secret)
})
