import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { parseEnvFile } from '@filmgate/tools/ops/settings'
import { openInstance } from '@filmgate/tools/stack/instance'
import { audit, operate } from '../../../support/operator/operator'
import { opsDone } from '../../../support/operator/ops'
import { instance, settings } from '../../../support/settings'
import { addFigure } from '../../../support/suite/figures'
import { until } from '../../../support/until'
import { openClients, signIn, startLoad } from './load'
import { startReceiver } from './receiver'
import { startRolledServices } from './rolled-services'
import { createRotation, ownSecrets, type Step } from './secrets'

const testTimeoutMs = 1_800_000
/** Between two rolls: sign-ins with a code, and whatever a service does by the clock. */
const settledMs = 20_000
const receiver = startReceiver()
const firstKey = parseEnvFile(readFileSync(openInstance(instance, settings.portBase).envFile, 'utf8')).FILMGATE_API_KEY ?? ''
const rotation = createRotation()
const webhooksEnv = { FILMGATE_WEBHOOKS_PRIVATE_ORIGINS: receiver.origin }
const consoleEnv = { FILMGATE_TRUSTED_PROXIES: '1' }
const envOf = (step: Step) => (service: Parameters<ReturnType<typeof rotation.envOf>>[0]) => ({
  ...rotation.envOf(step)(service),
  ...(service === 'webhooks' && webhooksEnv),
  ...(service === 'console' && consoleEnv),
})

await rotation.take('former')
const services = await startRolledServices(envOf('former'))
Object.assign(process.env, {
  FILMGATE_URL: `${services.url('gateway')}/api/v1`,
  FILMGATE_GATEWAY_URL: services.url('gateway'),
  FILMGATE_LEDGER_URL: services.url('ledger'),
  FILMGATE_DISPATCHER_URL: services.url('dispatcher'),
  FILMGATE_MEDIA_PROBE_URL: services.url('media-probe'),
  FILMGATE_WEBHOOKS_URL: services.url('webhooks'),
  FILMGATE_CONSOLE_URL: services.url('console'),
})
afterAll(async () => {
  await rotation.close()
  await services.stop()
  await receiver.stop()
}, 180_000)

type Renewed = { secret: string; renewed: number; left: number }[]

/** The status that a bearer token gets from a service. */
const statusOf = async (url: string, token: string): Promise<number> =>
  (await fetch(url, { headers: { authorization: `Bearer ${token}`, 'x-filmgate-person': 'person-of-tests' }, keepalive: false })).status

test(
  'every secret is rotated under load, in the steps of docs/secrets.md: no request fails, and all that was given out before works without the former values',
  async () => {
    const clients = await openClients(receiver)
    const { former, next } = rotation
    let callbackSecrets = [former.FILMGATE_ATTEMPT_SECRET]
    const load = startLoad(clients, () => callbackSecrets)
    await Bun.sleep(settledMs)

    await rotation.take('accept')
    await services.roll(envOf('accept'))
    callbackSecrets = [former.FILMGATE_ATTEMPT_SECRET, next.FILMGATE_ATTEMPT_SECRET]
    expect(await operate('gateway', 'GET', '/me')).toMatchObject({ role: 'money' })
    await Bun.sleep(settledMs)

    await services.roll(envOf('use'))
    process.env.FILMGATE_OPERATOR_TOKEN = next.FILMGATE_OPERATOR_TOKEN
    await Bun.sleep(settledMs)
    // Whatever has a key uses it once; the stack's own first account has no other client.
    expect(await statusOf(`${settings.url}/credits`, firstKey)).toBe(200)
    const renewed = await until('nothing left under a former value', async () => {
      const rows: Renewed = JSON.parse(await opsDone('secrets', 'renew', '--json'))
      return rows.every(({ left }) => left === 0) && rows
    })
    expect(renewed.map(({ secret }) => secret)).toEqual(['FILMGATE_KEY_PEPPER', 'FILMGATE_WEBHOOKS_SECRET_KEY', 'FILMGATE_CONSOLE_SECRET'])

    callbackSecrets = [next.FILMGATE_ATTEMPT_SECRET]
    await rotation.take('remove')
    await services.roll(envOf('remove'))
    await Bun.sleep(settledMs)
    await load.stop()

    const came = (taskId: string) => receiver.received.some(({ text }) => text.includes(taskId) && text.includes('"task.completed"'))
    await until('every event', async () => load.ended.every(came), 60_000)
    for (const [kind, count] of load.counts) addFigure(`rotation.${kind}`, count)
    addFigure('rotation.events', load.ended.length)
    addFigure('rotation.failed', load.failures.length)
    expect(load.failures).toEqual([])
    expect(receiver.received.filter(({ fault }) => fault !== undefined)).toEqual([])
    expect(load.ended.length).toBeGreaterThan(10)
    for (const { api } of clients.subscribers) expect((await api.get('/credits')).status).toBe(200)
    for (const { wire, accountId } of clients.members) expect((await wire.get(`/accounts/${accountId}`)).status).toBe(200)
    await Bun.sleep(31_000)
    for (const member of clients.members) expect(await signIn(member)).toMatchObject({ status: 303 })
    addFigure('rotation.secrets', ownSecrets.length)

    const tokens: [string, keyof typeof next][] = [
      [`${services.url('gateway')}/operator/me`, 'FILMGATE_OPERATOR_TOKEN'],
      [`${services.url('gateway')}/console/models`, 'FILMGATE_CONSOLE_TOKEN'],
      [`${services.url('webhooks')}/accounts/acct_none/endpoints`, 'FILMGATE_WEBHOOKS_TOKEN'],
    ]
    for (const [url, name] of tokens)
      expect([name, await statusOf(url, former[name]), await statusOf(url, next[name])]).toEqual([name, 401, 200])
    expect(await audit()).toEqual([])
  },
  testTimeoutMs,
)

test('no log has a value of a secret in it', () => {
  const values = [...Object.values(rotation.former), ...Object.values(rotation.next)]
  for (const file of services.logFiles()) {
    const text = readFileSync(file, 'utf8')
    expect(values.filter(value => text.includes(value))).toEqual([])
  }
})
