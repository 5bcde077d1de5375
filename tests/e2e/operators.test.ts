import { expect, test } from 'bun:test'
import { openWire } from '../console/people/wire'
import { createKey, openAccount } from '../support/client/account'
import { ownWords, smallRequest } from '../support/client/request'
import { operate } from '../support/operator/operator'
import { ops, opsDone } from '../support/operator/ops'
import { settings } from '../support/settings'
import { simulator } from '../support/simulator'
import { until } from '../support/until'

const asJson = async (...words: string[]) => JSON.parse(await opsDone(...words, '--json'))

type Act = { act: string; subject: string | null; by: string }
type Route = { method: string; path: string }
type Page = { data: { id: string; account_id: string; status: string }[]; next_cursor: string | null }

test.concurrent('what an operator does to an account and its keys is kept with who did it, and shown with the account', async () => {
  const name = `kept ${crypto.randomUUID()}`
  const { account_id } = await asJson('account', 'create', '--name', name, '--credits', '100', '--by', 'Ada Å.')
  const { key_id } = await asJson('key', 'create', account_id, '--name', 'second', '--by', 'bob')
  await opsDone('key', 'rotate', key_id, '--by', 'carol')
  await opsDone('key', 'update', key_id, '--models', 'alpha-h3', 'alpha-h3-fast', '--addresses', '192.0.2.0/24', '--by', 'erin')
  await opsDone('key', 'revoke', key_id, '--by', 'dan')
  await opsDone('account', 'low-balance', account_id, '50', '--by', 'fay')
  await opsDone('account', 'limits', account_id, '--requests', '90', '--unfinished', '5', '--reason', 'a bigger plan', '--by', 'gus')
  await opsDone('account', 'grant', account_id, '--credits', '7', '--reason', 'a gift', '--by', 'eve')
  const shown = await asJson('account', 'show', account_id)
  expect(shown).toMatchObject({
    account_id,
    name,
    ...{ low_balance_credits: 50, requests_a_minute: 90, unfinished_tasks_max: 5 },
    balances: { available: 107, unfinished: 0 },
    unfinished_tasks: [],
  })
  expect(shown.acts.map(({ act, subject, by }: Act) => [act, subject, by])).toEqual([
    ['limits_set', 'requests 90, unfinished 5: a bigger plan', 'gus'],
    ['low_balance_set', '50', 'fay'],
    ['key_revoked', key_id, 'dan'],
    ['key_updated', key_id, 'erin'],
    ['key_rotated', key_id, 'carol'],
    ['key_created', key_id, 'bob'],
    ['account_opened', null, 'Ada Å.'],
  ])
  expect(shown.credit_changes).toMatchObject([
    { kind: 'grant', credits: 7, reason: 'a gift', operator: 'eve', state: 'applied' },
    { kind: 'grant', credits: 100, operator: 'Ada Å.' },
  ])
  expect(shown.keys).toMatchObject([
    { name: 'first' },
    { name: 'second', revokedAt: expect.any(String), models: ['alpha-h3', 'alpha-h3-fast'], addresses: ['192.0.2.0/24'] },
  ])
})

test.concurrent('outcomes count attempts by provider and model, and a count leads to its tasks', async () => {
  const { api } = await openAccount({ credits: 100 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'moderated' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  await api.taskOnce(body.id)
  const { data } = await asJson('provider', 'outcomes')
  const own = data.find((one: { provider: string; model: string }) => one.provider === 'simulator' && one.model === 'alpha-h3-fast')
  expect(own.failures).toContainEqual({ state: 'failed', code: 'output_moderated', attempts: expect.any(Number) })
  const failed = ['--provider', 'simulator', '--model', 'alpha-h3-fast', '--state', 'failed', '--code', 'output_moderated']
  const page = await asJson('provider', 'attempts', ...failed)
  expect(page.data).toContainEqual(expect.objectContaining({ task_id: body.id, cause: expect.stringContaining('output_moderated') }))
})

test.concurrent('what an operator does to a task is kept with who did it, and shown in its story', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  await opsDone('task', 'replay', body.id, '--by', 'ada')
  await api.taskOnce(body.id, ({ billing_status }) => billing_status === 'review')
  await opsDone('review', 'retry', body.id, '--reason', 'the provider is back', '--by', 'bob')
  await api.taskOnce(body.id, ({ billing_status }) => billing_status === 'review')
  await opsDone('review', 'refund', body.id, '--reason', 'it never will', '--by', 'carol')
  const shown = await asJson('task', 'show', body.id)
  expect(shown.acts).toMatchObject([{ act: 'task_replayed', by: 'ada' }])
  expect(shown.review_decisions).toMatchObject([
    { decision: 'retry', reason: 'the provider is back', by: 'bob' },
    { decision: 'refund', reason: 'it never will', by: 'carol' },
  ])
  expect(shown.attempts).toMatchObject([{ cause: 'carol decided: it never will' }])
})

test.concurrent('FILMGATE_OPERATOR names who, and without a name nothing that does something is taken', async () => {
  const { accountId } = await openAccount()
  const child = Bun.spawn([process.execPath, 'tools/ops.ts', 'key', 'create', accountId, '--name', 'k', '--json'], {
    cwd: `${import.meta.dir}/../..`,
    env: { ...process.env, FILMGATE_OPERATOR: 'from the environment' },
    stdout: 'ignore',
  })
  expect(await child.exited).toBe(0)
  const { acts } = await operate<{ acts: Act[] }>('gateway', 'GET', `/accounts/${accountId}`)
  expect(acts[0]).toMatchObject({ act: 'key_created', by: 'from the environment' })

  const key = await createKey(accountId)
  const reason = { reason: 'r' }
  const since = '2026-01-01T00:00:00Z'
  const bulkTerms = { provider: 'simulator', from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z', outcome: 'retry' }
  const done: [service: keyof typeof settings.serviceUrls, method: string, path: string, body?: object][] = [
    ['gateway', 'POST', '/accounts', { name: 'n', credits: 1 }],
    ['gateway', 'POST', `/accounts/${accountId}/keys`, { name: 'n' }],
    ['gateway', 'POST', `/accounts/${accountId}/low-balance`, { credits: null }],
    ['gateway', 'POST', `/accounts/${accountId}/limits`, { requests_a_minute: null, ...reason }],
    ['gateway', 'POST', `/accounts/${accountId}/grants`, { id: crypto.randomUUID(), credits: 1, balance: 'paid', ...reason }],
    ['gateway', 'PUT', `/accounts/${accountId}/budgets/account/${accountId}`, { total: 1 }],
    ['gateway', 'DELETE', `/accounts/${accountId}/budgets/account/${accountId}`],
    ['gateway', 'POST', `/keys/${key.key_id}/rotate`],
    ['gateway', 'PATCH', `/keys/${key.key_id}`, { models: null }],
    ['gateway', 'DELETE', `/keys/${key.key_id}`],
    ['gateway', 'POST', `/accounts/${accountId}/debits`, { id: crypto.randomUUID(), credits: 1, balance: 'paid', ...reason }],
    ['gateway', 'POST', `/credit-changes/${crypto.randomUUID()}/approve`],
    ['gateway', 'POST', '/tasks/vt_1/replay'],
    ['gateway', 'POST', '/tasks/vt_1/cancel', reason],
    ['gateway', 'POST', '/replay', { part: 'accounts', since }],
    ['gateway', 'POST', '/dead-letters/replay', { topic: 'filmgate.requests.v1.dlq', limit: 1, ...reason }],
    ['gateway', 'POST', '/dead-letters/discard', { topic: 'filmgate.requests.v1.dlq', event: 'e', limit: 1, ...reason }],
    ['ledger', 'POST', '/tasks/vt_1/acknowledge', reason],
    ['ledger', 'POST', '/tasks/vt_1/replay'],
    ['ledger', 'POST', '/tasks/vt_1/release', { account_id: accountId, admit_by: '2026-01-01T00:00:00.000Z', ...reason }],
    ['ledger', 'POST', '/replay', { part: 'changes', since }],
    ['ledger', 'POST', '/epoch', {}],
    ['dispatcher', 'POST', '/reviews/vt_1/accept', { provider_task_id: 'm', ...reason }],
    ['dispatcher', 'POST', '/reviews/vt_1/refund', reason],
    ['dispatcher', 'POST', '/reviews/vt_1/retry', reason],
    ['dispatcher', 'POST', '/bulk-review-ends', { ...bulkTerms, ...reason }],
    ['dispatcher', 'POST', '/bulk-review-ends/1/approve'],
    ['dispatcher', 'POST', '/bulk-review-ends/1/next'],
    ['dispatcher', 'POST', '/tasks/vt_1/replay'],
    ['dispatcher', 'POST', '/tasks/vt_1/release', { account_id: accountId, model: '', ...reason }],
    ['dispatcher', 'POST', '/tasks/vt_1/restore-output'],
    ['dispatcher', 'POST', '/providers/simulator/close', { minutes: 1, ...reason }],
    ['dispatcher', 'POST', '/providers/simulator/pause', { model: 'nothing', ...reason }],
    ['dispatcher', 'POST', '/providers/simulator/resume', { model: 'nothing', ...reason }],
    ['dispatcher', 'POST', '/replay', { part: 'tasks', since }],
    ['media-probe', 'POST', '/tasks/vt_1/replay'],
    ['media-probe', 'POST', '/replay', { part: 'tasks', since }],
    ['media-probe', 'POST', '/decisions', { events: [] }],
    ['webhooks', 'POST', '/webhooks/whe_1/resume'],
    ['webhooks', 'POST', '/webhooks/whe_1/replay', { delivery_id: 'msg_1' }],
    ['webhooks', 'POST', '/secrets/renew', {}],
  ]
  expect(
    done
      .map(
        ([service, method, path]) =>
          `${service} ${method} ${path.replace(/(?<=\/budgets\/).*/, ':/:').replace(/(?<=^\/(accounts|keys|tasks|reviews|bulk-review-ends|providers|credit-changes|webhooks)\/)[^/]+/, ':')}`,
      )
      .toSorted(),
  ).toEqual((await actRoutes()).toSorted())
  for (const [service, method, path, body] of done) {
    const response = await fetch(`${settings.serviceUrls[service]}/operator${path}`, {
      method,
      headers: { authorization: `Bearer ${settings.operatorToken}`, 'content-type': 'application/json' },
      body: body && JSON.stringify(body),
    })
    expect([path, response.status, JSON.parse(await response.text()).error?.details?.issues]).toMatchObject([path, 400, [{ path: 'by' }]])
  }
})

/** An audit changes nothing that anybody could ask about. */
const acts = ({ method, path }: Route) => method !== 'GET' && path.startsWith('/operator/') && path !== '/operator/audit'

/** Every route by which an operator does something, as the services list them: `SERVICE METHOD PATH`, with `:` for a parameter. */
async function actRoutes(): Promise<string[]> {
  const services = ['gateway', 'ledger', 'dispatcher', 'media-probe', 'webhooks'] as const
  const lists = await Promise.all(
    services.map(async service => {
      const { data } = await operate<{ data: Route[] }>(service, 'GET', '/routes')
      return data.filter(acts).map(({ method, path }) => `${service} ${method} ${path.slice('/operator'.length).replace(/:\w+/g, ':')}`)
    }),
  )
  return lists.flat()
}

test.concurrent('`ops operator link` signs in the person that it names, on a stack that has long run, each time anew', async () => {
  for (const _ of [1, 2]) {
    const { person, link } = await asJson('operator', 'link')
    const browser = openWire()
    expect([person, (await browser.get(link)).status]).toEqual(['dev@filmgate.localhost', 303])
    expect((await browser.get('/operate')).status).toBe(200)
  }
})

test.concurrent('accounts and tasks are listed page by page, newest first, by name, account, status and time', async () => {
  const name = `listed ${crypto.randomUUID()}`
  const opened: string[] = []
  for (const number of [1, 2, 3])
    opened.push(
      (await operate<{ account_id: string }>('gateway', 'POST', '/accounts', { name: `${name} ${number}`, credits: 1 })).account_id,
    )
  const first = await asJson('account', 'list', '--name', name.toUpperCase(), '--limit', '2')
  const second = await asJson('account', 'list', '--name', name, '--limit', '2', '--cursor', first.next_cursor)
  expect([...first.data, ...second.data].map(({ account_id }) => account_id)).toEqual(opened.toReversed())
  expect(second.next_cursor).toBeNull()

  const since = new Date().toISOString()
  const { api, accountId } = await openAccount({ credits: 1_000 })
  const [prompt, failing] = [ownWords(), ownWords()]
  await simulator.behave(prompt, [{ name: 'instant' }])
  await simulator.behave(failing, [{ name: 'moderated' }])
  const made: string[] = []
  for (const words of [prompt, failing, prompt]) made.push((await api.generate(smallRequest({ prompt: words }))).body.id)
  for (const id of made) await api.taskOnce(id)
  const list = (...words: string[]): Promise<Page> => asJson('task', 'list', '--account', accountId, ...words)
  const page = await list('--limit', '2')
  const rest = await list('--limit', '2', '--cursor', page.next_cursor ?? '')
  expect([...page.data, ...rest.data].map(({ id }) => id)).toEqual(made.toReversed())
  expect((await list('--status', 'failed')).data).toMatchObject([{ id: made[1], status: 'failed', account_id: accountId }])
  expect((await list('--billing', 'settled', '--since', since)).data.map(({ id }) => id)).toEqual([made[2] ?? '', made[0] ?? ''])
  expect((await list('--until', since)).data).toEqual([])
  expect((await list('--model', 'beta-2.5')).data).toEqual([])
  const { data } = (await asJson('task', 'list', '--since', since, '--limit', '500')) as Page
  expect(made.filter(id => !data.some(one => one.id === id))).toEqual([])
})

test.concurrent('a key is found by how it begins, and a task by its provider’s id', async () => {
  const { api, accountId } = await openAccount({ credits: 100 })
  const { key_id, api_key } = await createKey(accountId)
  const key = await asJson('key', 'show', api_key.slice(0, 20))
  expect(key).toMatchObject({ id: key_id, account_id: accountId, revokedAt: null })
  expect(await asJson('key', 'show', key_id)).toEqual(key)
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  await api.taskOnce(body.id)
  const [submit] = await simulator.submits(prompt)
  expect(await asJson('task', 'find', submit?.generation_id ?? '')).toMatchObject([
    { task_id: body.id, account_id: accountId, provider: 'simulator', provider_task_id: submit?.generation_id, state: 'completed' },
  ])
  expect(await asJson('task', 'find', 'nobody-has-this')).toEqual([])
})

test.concurrent('a request is found by its X-Request-Id, with what it was refused, and those of an account by what came of them', async () => {
  const { api, accountId, apiKey } = await openAccount({ credits: 100 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const made = await api.generate(smallRequest({ prompt }))
  const refused = await api.generate(smallRequest({ prompt, duration: 4_000 }))
  const [read, unknown] = [await api.task(made.body.id), await api.task('vt_nobody_has_this')]
  const idOf = ({ headers }: { headers: Headers }) => headers.get('x-request-id') ?? ''
  const list = (...words: string[]): Promise<{ data: Record<string, unknown>[] }> => asJson('request', 'list', ...words)
  await until('the log has them', async () => (await list('--account', accountId)).data.length === 3, 10_000)
  const path = '/api/v1/video/generations'
  expect((await list('--id', idOf(refused))).data).toMatchObject([
    {
      account_id: accountId,
      key_id: apiKey.slice('sk_live_'.length, 20),
      method: 'POST',
      path,
      status: 400,
      code: 'invalid_request',
      refusal: refused.body,
      task_id: null,
    },
  ])
  expect((await list('--account', accountId, '--result', 'accepted')).data).toMatchObject([
    { request_id: idOf(made), status: made.status, task_id: made.body.id, refusal: null },
  ])
  expect((await list('--account', accountId, '--code', 'task_not_found')).data).toMatchObject([{ request_id: idOf(unknown) }])
  expect((await list('--id', idOf(read))).data).toEqual([])
})

test.concurrent('what providers charged is shown by provider and model; of what nobody tells nothing is made up', async () => {
  const from = new Date().toISOString()
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'instant' }])
  const request = smallRequest({ prompt })
  const { body } = await api.generate(request)
  const { credits_used: credits } = await api.taskOnce(body.id)
  const { attempts } = await operate<{ attempts: object[] }>('dispatcher', 'GET', `/tasks/${body.id}`)
  expect(attempts).toMatchObject([{ credits, cost_micro_usd: null, cost_basis: 'unknown' }])
  const costs = await asJson('provider', 'costs', '--from', from)
  expect(costs).toMatchObject({ credit_micro_usd: 10_000, total: { cost_micro_usd: 0, margin_percent: null } })
  const row = costs.data.find(({ model }: { model: string }) => model === request.model)
  expect(row).toMatchObject({ provider: 'simulator', credits: 0, revenue_micro_usd: 0, margin_micro_usd: 0 })
  expect(row.unknown).toBeGreaterThanOrEqual(1)
  expect(row.unknown_credits).toBeGreaterThanOrEqual(credits)
  expect(await opsDone('provider', 'costs', '--from', from, '--csv')).toStartWith('provider,model,attempts,open,completed,unknown,')
})

test.concurrent('what every price leaves is shown by model, resolution and provider, without a blank', async () => {
  const { credit_micro_usd, data } = await asJson('model', 'margins')
  expect(credit_micro_usd).toBe(10_000)
  expect(new Set(data.map(({ model }: { model: string }) => model)).size).toBe(29)
  expect(
    data.filter(({ basis, provider }: { basis: string; provider: string }) => basis !== 'nothing' || provider !== 'simulator'),
  ).toEqual([])
  const table = (await opsDone('model', 'margins', '--model', 'epsilon-1.5')).trim().split('\n')
  expect(table).toHaveLength(3)
  expect(table[1]).toMatch(/^epsilon-1.5 +480p +simulator +text-to-video 6 s +0.58 +0.00 +0.58 +100 +nothing +0 of 3$/)
})

test.concurrent('a task or an account that nobody knows ends ops with 1 and a sentence', async () => {
  for (const words of [
    ['task', 'show', 'vt_unknown'],
    ['task', 'replay', 'vt_unknown'],
    ['task', 'release', 'vt_unknown', '--reason', 'r'],
    ['account', 'show', 'acct_unknown'],
    ['account', 'grant', 'acct_unknown', '--credits', '1', '--reason', 'r'],
    ['account', 'low-balance', 'acct_unknown', 'never'],
    ['account', 'limits', 'acct_unknown', '--reset', '--reason', 'r'],
    ['key', 'list', 'acct_unknown'],
    ['budget', 'list', 'acct_unknown'],
    ['budget', 'set', 'acct_unknown', 'account', '--total', '1'],
    ['budget', 'clear', 'acct_unknown', 'account'],
    ['key', 'create', 'acct_unknown', '--name', 'k'],
    ['key', 'show', 'key_unknown'],
    ['key', 'revoke', 'key_unknown'],
    ['key', 'update', 'key_unknown', '--any-model'],
    ['provider', 'close', 'nobody', '--reason', 'r'],
    ['provider', 'pause', 'nobody', '--reason', 'r'],
    ['review', 'end', '--provider', 'nobody', '--from', '2026-01-01', '--to', '2026-01-02', '--outcome', 'refund', '--reason', 'r'],
  ]) {
    const { exitCode, stdout, stderr } = await ops(...words)
    expect([words, exitCode, stdout]).toEqual([words, 1, ''])
    expect(stderr).toMatch(/There is no|No open review|No such|no service|No service|nothing to end|No provider/)
  }
})
