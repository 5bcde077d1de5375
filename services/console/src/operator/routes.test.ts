import { afterAll, beforeEach, expect, test } from 'bun:test'
import { testDatabase, testLog } from '@filmgate/kit/testing'
import { Elysia } from 'elysia'
import { migrationsFolder } from '../database/migrations-folder'
import { renderError } from '../layout/render-error'
import { createFindOperator } from './find-operator'
import { operator } from './routes'

const { sql, drop } = await testDatabase(migrationsFolder)
const holders: Record<string, object> = {
  shared: { name: null, role: 'money', acts_for_others: true },
  sam: { name: 'sam', role: 'support', acts_for_others: false },
  rita: { name: 'rita', role: 'read', acts_for_others: false },
}
/** Knows tokens like the gateway does; `broken` gets an unreadable response. */
const gateway = Bun.serve({
  port: 0,
  hostname: '127.0.0.1',
  fetch(request) {
    const token = request.headers.get('authorization')?.replace('Bearer ', '') ?? ''
    if (token === 'broken') return new Response('no JSON', { status: 502 })
    return holders[token] ? Response.json(holders[token]) : Response.json({}, { status: 401 })
  },
})
afterAll(async () => {
  await gateway.stop(true)
  await drop()
})
beforeEach(async () => {
  await sql`truncate stripe_reconciliation cascade`
  await sql`truncate job`
})

const now = () => new Date('2026-11-20T12:00:00.000Z')
const appFor = (url: string, stripe: { livemode: boolean } | undefined) =>
  new Elysia({ normalize: false }).use(renderError(testLog)).use(
    operator({
      sql,
      log: testLog,
      findOperator: createFindOperator(url),
      authSecrets: ['a-secret-of-at-least-32-characters'],
      stripe,
      now,
    }),
  )
const app = appFor(gateway.url.origin, { livemode: false })

async function ask(method: string, path: string, token: string, body?: object, of = app) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'x-filmgate-operator': token === 'shared' ? 'ada' : token,
  }
  const request = new Request(`http://console.example/operator${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  const answer = await of.handle(request)
  return { status: answer.status, body: (await answer.json()) as { error?: { code: string }; id?: string; data?: unknown[]; to?: string } }
}
const post = async (token: string, body: object, of = app) => {
  const { status, body: answer } = await ask('POST', '/payments/reconciliations', token, body, of)
  return [status, answer.error?.code]
}
const period = { from: '2026-11-01', to: '2026-11-02T00:00:00Z', reason: 'a call' }

test('a reconciliation is begun once at a time, kept with who and why, and shown', async () => {
  const begun = await ask('POST', '/payments/reconciliations', 'shared', { ...period, dry_run: true })
  expect(begun).toMatchObject({
    status: 202,
    body: { state: 'running', requested_by: 'ada', from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z', dry_run: true },
  })
  expect(await post('sam', period)).toEqual([409, 'reconciliation_running'])
  expect(await sql`select kind, id from job`).toMatchObject([{ kind: 'stripe.reconcile', id: begun.body.id ?? '' }])
  expect(await sql`select requested_by, reason from stripe_reconciliation`).toMatchObject([{ requested_by: 'ada', reason: 'a call' }])
  expect(await ask('GET', `/payments/reconciliations/${begun.body.id}`, 'rita')).toMatchObject({ status: 200, body: { id: begun.body.id } })
  expect((await ask('GET', '/payments/reconciliations', 'rita')).body.data).toHaveLength(1)
  expect((await ask('GET', '/payments/reconciliations/none', 'rita')).status).toBe(404)
})

test('without a token, or with too low a role, nothing is begun; a gateway that can’t tell lets nobody in', async () => {
  expect(await post('nobody', period)).toEqual([401, 'operator_token_required'])
  expect(await post('rita', period)).toEqual([403, 'operator_role_insufficient'])
  expect(await post('broken', period)).toEqual([503, 'service_unavailable'])
  expect(await post('sam', period, appFor('http://127.0.0.1:1', { livemode: false }))).toEqual([503, 'service_unavailable'])
  expect(await post('sam', period, appFor(gateway.url.origin, undefined))).toEqual([404, 'not_found'])
  const bare = await app.handle(new Request('http://console.example/operator/payments/reconciliations'))
  expect(bare.status).toBe(401)
  expect(await sql`select from stripe_reconciliation`).toHaveLength(0)
})

test('a period without an end leaves out what events may still tell', async () => {
  const { body } = await ask('POST', '/payments/reconciliations', 'sam', { from: '2026-11-01', reason: 'r' })
  expect(body).toMatchObject({ to: '2026-11-20T11:45:00.000Z' })
})

test('a period that is none is refused', async () => {
  for (const wrong of [
    { from: '2026-11-02', to: '2026-11-01' },
    { from: '2026-11-20T12:00:00Z' },
    { from: '2024-01-01' },
    { from: 'yesterday' },
    { from: '2026-13-40' },
  ])
    expect([wrong, await post('sam', { ...wrong, reason: 'r' })]).toEqual([wrong, [400, 'invalid_request']])
})

test('a cross-audit is begun once at a time, of the last day or since a moment, and shown', async () => {
  await sql`truncate cross_audit`
  const withServices = new Elysia({ normalize: false }).use(renderError(testLog)).use(
    operator({
      sql,
      log: testLog,
      findOperator: createFindOperator(gateway.url.origin),
      stripe: undefined,
      authSecrets: ['a-secret-of-at-least-32-characters'],
      operate: {},
      now,
    }),
  )
  const post = (token: string, body: object) => ask('POST', '/cross-audits', token, body, withServices)
  const day = { since: '2026-11-19T12:00:00.000Z', until: '2026-11-20T11:50:00.000Z' }
  const begun = await post('sam', {})
  expect(begun).toMatchObject({ status: 202, body: { state: 'running', requested_by: 'sam', ...day, differences: 0, findings: [] } })
  expect(await sql`select kind, id from job`).toMatchObject([{ kind: 'cross.audit', id: begun.body.id ?? '' }])
  expect(await post('shared', {})).toMatchObject({ status: 409, body: { error: { code: 'cross_audit_running' } } })
  expect(await ask('GET', `/cross-audits/${begun.body.id}`, 'rita')).toMatchObject({ status: 200, body: { id: begun.body.id } })
  expect((await ask('GET', '/cross-audits', 'rita')).body.data).toHaveLength(1)
  expect((await ask('GET', '/cross-audits/none', 'rita')).status).toBe(404)
  expect((await post('rita', {})).status).toBe(403)
  expect((await ask('POST', '/cross-audits', 'sam', {})).status).toBe(404)

  await sql`update cross_audit set state = 'done'`
  const asked = { since: '2026-11-01T00:00:00Z', grace_seconds: 30 }
  expect((await post('sam', asked)).body).toMatchObject({ since: '2026-11-01T00:00:00.000Z', until: '2026-11-20T11:59:30.000Z' })
  await sql`update cross_audit set state = 'done'`
  for (const wrong of [
    { since: 'yesterday' },
    { since: '2026-11-20T11:55:00Z' },
    { since: '2026-01-01' },
    { grace_seconds: 4 },
    { from: '2026-11-01' },
  ])
    expect([wrong, (await post('sam', wrong)).status]).toEqual([wrong, 400])
})

test('secrets are renewed by whoever may act, in portions', async () => {
  expect(await ask('POST', '/secrets/renew', 'sam', {})).toMatchObject({
    status: 200,
    body: { secret: 'FILMGATE_CONSOLE_SECRET', renewed: 0, left: 0, next: null },
  })
  expect((await ask('POST', '/secrets/renew', 'sam', { after: 'p\u0000' })).status).toBe(400)
  expect((await ask('POST', '/secrets/renew', 'rita', {})).body.error?.code).toBe('operator_role_insufficient')
  expect((await ask('POST', '/secrets/renew', 'nobody', {})).status).toBe(401)
})
