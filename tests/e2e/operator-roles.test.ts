import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openAccount } from '../support/client/account'
import { operate } from '../support/operator/operator'
import { settings } from '../support/settings'
import { until } from '../support/until'

setDefaultTimeout(120_000)

const root = join(import.meta.dir, '../..')
const roles = ['read', 'support', 'money'] as const
type Role = (typeof roles)[number]
type Service = keyof typeof settings.serviceUrls
type Route = { method: string; path: string; role: Role | null }

const services: Service[] = ['gateway', 'ledger', 'media-probe', 'dispatcher']
/** Of this run alone: other files of tests may add operators of their own. */
const nameOf = (role: Role) => `${role}-${run}@example.com`
const run = crypto.randomUUID()
const tokens = {} as Record<Role | 'machine', string>

beforeAll(async () => {
  for (const role of roles) tokens[role] = await create(nameOf(role), '--role', role)
  tokens.machine = await create(`machine-${run}`, '--role', 'money', '--acts-for-others')
  for (const service of services)
    await until(`the tokens at the ${service}`, async () => (await asking(service, 'GET', '/me', tokens.machine)).status === 200)
})
afterAll(() => keepOnly(({ name }) => !name.includes(run)))

/** By `ops`, into the file that the services of this stack follow. */
async function create(name: string, ...words: string[]): Promise<string> {
  const { stdout, exitCode } = await opsAs(settings.operatorToken, 'operator', 'create', name, ...words, '--file', settings.operatorsFile)
  expect(exitCode).toBe(0)
  return JSON.parse(stdout).token
}

async function opsAs(token: string, ...words: string[]) {
  const child = Bun.spawn([process.execPath, 'tools/ops.ts', ...words, '--json'], {
    cwd: root,
    env: { ...process.env, FILMGATE_OPERATOR_TOKEN: token, FILMGATE_OPERATOR: '' },
    stdout: 'pipe',
    stderr: 'pipe',
  })
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited])
  return { stdout, stderr, exitCode }
}

function keepOnly(kept: (operator: { name: string }) => boolean): void {
  const { operators } = JSON.parse(readFileSync(settings.operatorsFile, 'utf8')) as { operators: { name: string }[] }
  writeFileSync(`${settings.operatorsFile}.kept`, JSON.stringify({ operators: operators.filter(kept) }), { mode: 0o600 })
  renameSync(`${settings.operatorsFile}.kept`, settings.operatorsFile)
}

async function asking(service: Service, method: string, path: string, token: string, { body, as }: { body?: object; as?: string } = {}) {
  const response = await fetch(`${settings.serviceUrls[service]}/operator${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...(as && { 'x-filmgate-operator': as }) },
    body: method === 'GET' ? undefined : JSON.stringify(body ?? {}),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, body: JSON.parse(text) }
}

test('each route of each service refuses each role below the one that it names, and lets that one in', async () => {
  const asked: Record<string, number> = {}
  for (const service of services) {
    const { data } = await operate<{ data: Route[] }>(service, 'GET', '/routes')
    for (const { method, path, role } of data.filter(({ path }) => path.startsWith('/operator/'))) {
      if (role === null) throw new Error(`${service} ${method} ${path} names no role`)
      const rank = roles.indexOf(role)
      const aimed = path.slice('/operator'.length).replace(/:\w+/g, 'nobody')
      for (const lower of roles.slice(0, rank)) {
        const { status, body } = await asking(service, method, aimed, tokens[lower])
        expect([service, method, path, lower, status, body.error?.code, body.error?.details]).toEqual([
          ...[service, method, path, lower, 403, 'operator_role_insufficient'],
          { needed: role, role: lower },
        ])
      }
      // Of nobody and without a word: what comes after the door refuses it, or shows that there is nothing.
      const { status, body } = await asking(service, method, aimed, tokens[role])
      expect([service, method, path, status === 401 || status === 403 || status >= 500 ? [status, body] : 'in']).toEqual([
        ...[service, method, path, 'in'],
      ])
      asked[`${service} ${role}`] = (asked[`${service} ${role}`] ?? 0) + 1
    }
  }
  for (const service of services) expect([service, asked[`${service} support`] ?? 0]).not.toEqual([service, 0])
  expect(asked['gateway money']).toBeGreaterThanOrEqual(5)
})

test('an act is of whose token it is, whoever is named; a machine that acts for others says for whom', async () => {
  const { accountId } = await openAccount({ credits: 10 })
  const grant = (token: string, as?: string, by?: string) => {
    const body = { id: crypto.randomUUID(), credits: 1, balance: 'paid', reason: 'a gift', ...(by && { by }) }
    return asking('gateway', 'POST', `/accounts/${accountId}/grants`, token, { body, as })
  }
  const money = nameOf('money')
  expect((await grant(tokens.money)).body).toMatchObject({ operator: money, state: 'applied' })
  expect((await grant(tokens.money, encodeURIComponent(money), money)).body).toMatchObject({ operator: money })
  for (const [as, by] of [['bob'], [undefined, 'bob'], [encodeURIComponent(money), 'bob'], ['%00']] as const)
    expect(await grant(tokens.money, as, by)).toMatchObject({ status: 403, body: { error: { code: 'operator_mismatch' } } })
  expect((await asking('ledger', 'GET', `/accounts/${accountId}`, tokens.read, { as: 'bob' })).status).toBe(403)
  expect((await grant(tokens.machine, 'Ana%20%C3%85.')).body).toMatchObject({ operator: 'Ana Å.' })
  const { credit_changes } = await operate<{ credit_changes: { operator: string }[] }>('gateway', 'GET', `/accounts/${accountId}`)
  expect(credit_changes.map(({ operator }) => operator)).toEqual(['Ana Å.', money, money, 'ada'])
})

test('ops acts in the name of the token, says whose it is, and in words why a role is too low', async () => {
  const { accountId } = await openAccount({ credits: 10 })
  const granted = await opsAs(tokens.money, 'account', 'grant', accountId, '--credits', '2', '--reason', 'a gift')
  expect([granted.exitCode, JSON.parse(granted.stdout).operator]).toEqual([0, nameOf('money')])
  const me = JSON.parse((await opsAs(tokens.support, 'operator', 'me')).stdout)
  expect(me).toEqual(services.map(service => ({ service, name: nameOf('support'), role: 'support', acts_for_others: false })))
  const refused = await opsAs(tokens.support, 'account', 'grant', accountId, '--credits', '2', '--reason', 'a gift')
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining('403 operator_role_insufficient')])
  const listed = JSON.parse((await opsAs(tokens.read, 'operator', 'list')).stdout) as {
    service: string
    name: string | null
    role: string
  }[]
  for (const service of services)
    expect(listed.filter(one => one.service === service && (one.name === null || one.name.includes(run)))).toMatchObject([
      { name: null, role: 'money' },
      ...roles.map(role => ({ name: nameOf(role), role })),
      { name: `machine-${run}`, role: 'money', acts_for_others: true },
    ])
})

test('a token that is taken out of the file opens nothing any more, without a restart', async () => {
  const token = await create(`gone-${run}`, '--role', 'money')
  const statuses = () => Promise.all(services.map(async service => (await asking(service, 'GET', '/me', token)).status))
  await until('the token', async () => (await statuses()).every(status => status === 200))
  keepOnly(({ name }) => name !== `gone-${run}`)
  await until('its end', async () => (await statuses()).every(status => status === 401))
})
