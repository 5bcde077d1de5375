import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'
import { type Role, roles } from '@filmgate/kit/environment/operator-environment'
import { hasRole } from '@filmgate/kit/operator/needs-role'
import { uuidv7 } from 'uuidv7'
import { insertTestPurchase } from '../billing/testing/purchase'
import { accountId, taskId } from './testing/fake-services'
import { type OperateSystem, startOperateSystem } from './testing/operate-system'

const purchaseId = uuidv7()
let system: OperateSystem
beforeAll(async () => {
  system = await startOperateSystem()
  await insertTestPurchase(system.sql, { id: purchaseId, accountId })
})
afterAll(() => system?.stop())
beforeEach(() => system.services.reset())

type Route = { method: string; path: string; role: Role }

/** All routes of the app, so that new ones are tested too. */
const routes = (): Route[] =>
  system.app.routes
    .filter(({ path }) => path.startsWith('/operate'))
    .map(({ method, path, hooks }) => ({ method, path: filled(path), role: hooks.detail?.['x-operator-role'] ?? 'read' }))

const filled = (path: string): string =>
  path
    .replace('/accounts/:id', `/accounts/${accountId}`)
    .replace(':key', 'k1')
    .replace(':provider', 'fal')
    .replace(':person', 'nobody')
    .replace(':topic', 'filmgate.requests.v1.dlq')
    .replace('/credit-changes/:id', '/credit-changes/c9')
    .replace('/bulk-review-ends/:id', '/bulk-review-ends/7')
    .replace('/purchases/:id', `/purchases/${purchaseId}`)
    .replace(':id', taskId)

/** An action redirects to its page, except one that creates a secret, which is in the response. */
const doneStatus = ({ method, path }: Route) => (method === 'GET' || /\/(accounts|keys|rotate)$/.test(path) ? 200 : 303)

const ask = ({ method, path }: Route, as: Role | 'nobody' | undefined) => (method === 'GET' ? system.ask(path, as) : system.send(path, as))
const countActs = async () => (await system.sql`select from operator_act`).length
/** Actions that the console performs itself, recorded like any other. */
const ofTheConsole = ({ path }: Route): boolean => path.startsWith('/operate/purchases/') || path === '/operate/audit/reconciliations'
const textOf = async (answer: Response): Promise<string> => (await answer.text()).replace(/<code>[0-9a-f]{32}<\/code>/, '')

test('every act names its role, and there is one for each', () => {
  const acts = routes().filter(({ method }) => method !== 'GET')
  expect(acts.map(({ method, path, role }) => `${role} ${method} ${path}`).toSorted()).toEqual([
    'money POST /operate/accounts',
    'money POST /operate/accounts/acc_1/debits',
    'money POST /operate/accounts/acc_1/grants',
    'money POST /operate/accounts/acc_1/keys',
    'money POST /operate/accounts/acc_1/keys/k1/rotate',
    'money POST /operate/audit/contradictions/vt_1/acknowledge',
    'money POST /operate/bulk-review-ends/7/approve',
    'money POST /operate/credit-changes/c9/approve',
    `money POST /operate/purchases/${purchaseId}/accept`,
    `money POST /operate/purchases/${purchaseId}/disputes`,
    'support POST /operate/accounts/acc_1/keys/k1/revoke',
    'support POST /operate/audit/reconciliations',
    'support POST /operate/audit/runs',
    'support POST /operate/bulk-review-ends',
    'support POST /operate/bulk-review-ends/7/next',
    'support POST /operate/dead-letters/filmgate.requests.v1.dlq/discard',
    'support POST /operate/dead-letters/filmgate.requests.v1.dlq/replay',
    'support POST /operate/providers/fal/close',
    'support POST /operate/providers/fal/pause',
    'support POST /operate/providers/fal/resume',
    'support POST /operate/reviews/vt_1/accept',
    'support POST /operate/reviews/vt_1/refund',
    'support POST /operate/reviews/vt_1/retry',
    'support POST /operate/tasks/vt_1/release',
    'support POST /operate/tasks/vt_1/replay',
  ])
})

test('each route serves the role that it needs and those above it; a lower one is refused, and no service is asked to do anything', async () => {
  for (const route of routes())
    for (const role of roles) {
      system.services.reset()
      await system.sql`truncate operator_act`
      const { status } = await ask(route, role)
      const allowed = hasRole(role, route.role)
      expect([route.method, route.path, role, status]).toEqual([route.method, route.path, role, allowed ? doneStatus(route) : 403])
      const isAct = allowed && route.method !== 'GET'
      expect(await countActs()).toBe(isAct ? 1 : 0)
      expect(system.services.acts().length > 0).toBe(isAct && !ofTheConsole(route))
    }
})

test('for who is no operator there is nothing at any of them: the page of an unknown address, byte for byte, and no service is asked', async () => {
  const unknown = await textOf(await system.ask('/no/such/page', 'nobody'))
  for (const route of routes()) {
    const answer = await ask(route, 'nobody')
    expect([route.path, answer.status, await textOf(answer)]).toEqual([route.path, 404, unknown])
  }
  expect(system.services.calls).toEqual([])
})

test('who is signed out is led to the sign-in', async () => {
  for (const route of routes()) {
    const answer = await ask(route, undefined)
    expect([route.path, answer.status, answer.headers.get('location')?.startsWith('/sign-in?')]).toEqual([route.path, 303, true])
  }
  expect(system.services.calls).toEqual([])
})

test('an act that another site sends is refused before anything is looked at', async () => {
  for (const route of routes().filter(({ method }) => method !== 'GET')) {
    const answer = await system.ask(route.path, 'money', { method: 'POST', headers: { origin: 'https://evil.example.com' } })
    expect([route.path, answer.status]).toEqual([route.path, 403])
  }
  expect(system.services.calls).toEqual([])
})

test('what moves money asks for a sign-in of the last quarter of an hour, and no service for anything; whatever else does not', async () => {
  await system.sql`update session set confirmed_at = now() - interval '16 minutes'`
  try {
    for (const route of routes().filter(({ method }) => method !== 'GET')) {
      system.services.reset()
      const { status, headers } = await ask(route, 'money')
      const isMoney = route.role === 'money'
      const at = [status, headers.get('location')?.startsWith('/security/confirm?next='), system.services.acts().length > 0]
      expect([route.path, ...at]).toEqual([route.path, 303, isMoney, !isMoney && !ofTheConsole(route)])
    }
  } finally {
    await system.sql`update session set confirmed_at = now()`
  }
})
