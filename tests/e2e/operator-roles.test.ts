import { afterAll, beforeAll, expect, test } from 'bun:test'
import { openAccount } from '../support/client/account'
import {
  askAs,
  createOperator,
  heardOf,
  keepOperators,
  opsAs,
  type Role,
  roles,
  type Service,
  services,
  tryOperatorRoutes,
} from '../support/operator/by-role'
import { operate } from '../support/operator/operator'
import { until } from '../support/until'

/** Of this run alone: other files of tests may add operators of their own. */
const nameOf = (role: Role) => `${role}-${run}@example.com`
const run = crypto.randomUUID()
const tokens = {} as Record<Role | 'machine', string>

beforeAll(async () => {
  for (const role of roles) tokens[role] = await createOperator(nameOf(role), '--role', role)
  tokens.machine = await createOperator(`machine-${run}`, '--role', 'money', '--acts-for-others')
  await heardOf(tokens.machine)
})
afterAll(() => keepOperators(({ name }) => !name.includes(run)))

const asking = (service: Service, method: string, path: string, token: string, more: { body?: object; as?: string } = {}) =>
  askAs({ service, method, path, token, ...more })

test('each route of each service refuses each role below the one that it names, and lets that one in', async () => {
  const asked: Record<string, number> = {}
  const { read, support, money } = tokens
  for (const { service, method, path, needed, as, status, body } of await tryOperatorRoutes({ read, support, money })) {
    const route = [service, method, path, as]
    if (roles.indexOf(as as Role) < roles.indexOf(needed))
      expect([...route, status, body.error?.code, body.error?.details]).toEqual([
        ...[...route, 403, 'operator_role_insufficient'],
        { needed, role: as },
      ])
    // The route refuses it, or shows that there is nothing.
    else expect([...route, status === 401 || status === 403 || status >= 500 ? [status, body] : 'in']).toEqual([...route, 'in'])
    asked[`${service} ${needed}`] = (asked[`${service} ${needed}`] ?? 0) + 1
  }
  for (const service of services) expect([service, asked[`${service} support`] ?? 0]).not.toEqual([service, 0])
  expect(asked['gateway money']).toBeGreaterThanOrEqual(5 * roles.length)
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
  const token = await createOperator(`gone-${run}`, '--role', 'money')
  const statuses = () => Promise.all(services.map(async service => (await asking(service, 'GET', '/me', token)).status))
  await until('the token', async () => (await statuses()).every(status => status === 200))
  keepOperators(({ name }) => name !== `gone-${run}`)
  await until('its end', async () => (await statuses()).every(status => status === 401))
})
