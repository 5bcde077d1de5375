import { afterAll, beforeAll, expect, test } from 'bun:test'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { signInByLink } from '../../console/people/sign-in-link'
import { formAt, type Wire } from '../../console/people/wire'
import { openAccount } from '../../support/client/account'
import { ownWords, smallRequest } from '../../support/client/request'
import { operate } from '../../support/operator/operator'
import { opsDone } from '../../support/operator/ops'
import { startOwn, startOwnGateway } from '../../support/servers/own-services'
import { settings } from '../../support/settings'
import { simulator } from '../../support/simulator'
import { until } from '../../support/until'

const roles = ['read', 'support', 'money', 'second'] as const
type Name = (typeof roles)[number] | 'stranger'
const run = crypto.randomUUID()
const emailOf = (name: Name) => `${name}-${run}@example.com`
const people = {} as Record<Name, Wire>

type Named = { email: string; role: string }
/** Into the file that the console follows. */
function changeOperators(change: (named: Named[]) => Named[]): void {
  const file = settings.consoleOperatorsFile
  const named = JSON.parse(readFileSync(file, 'utf8')) as Named[]
  writeFileSync(`${file}.new`, JSON.stringify(change(named)), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}

const ownAccount = () => `acct-${crypto.randomUUID()}`

beforeAll(async () => {
  changeOperators(named => [...named, ...roles.map(name => ({ email: emailOf(name), role: name === 'second' ? 'money' : name }))])
  for (const name of [...roles, 'stranger'] as const)
    people[name] = await signInByLink({ accountId: ownAccount(), email: emailOf(name), name })
  await until('the operators’ pages', async () => (await people.second.get('/operate')).status === 200)
})
afterAll(() => changeOperators(named => named.filter(({ email }) => !email.includes(run))))

/** Fills the form of an act as it stands on a page, and sends it; the page that it leads to. */
async function act(person: Wire, page: string, action: string, fields: Record<string, string>): Promise<string> {
  const { text } = await person.get(page)
  const { status, location } = await person.post(action, { ...formAt(text, action), ...fields, confirm: 'yes' })
  expect([action, status]).toEqual([action, 303])
  return (await person.get(location ?? '')).text
}

const actsOf = async (accountId: string) =>
  (
    await operate<{ credit_changes: { operator: string; credits: number; state: string; reason: string }[] }>(
      'gateway',
      'GET',
      `/accounts/${accountId}`,
    )
  ).credit_changes
const availableOf = async (accountId: string) =>
  (await operate<{ account: { available: number } }>('ledger', 'GET', `/accounts/${accountId}`)).account.available

test.concurrent('there is nothing at /operate for whoever is not named; who may read sees every page and can do nothing', async () => {
  const { accountId } = await openAccount({ credits: 10 })
  const rooms = [
    '',
    '/reviews',
    '/tasks',
    '/accounts',
    `/accounts/${accountId}`,
    '/purchases',
    '/credit-changes',
    '/dead-letters',
    '/audit',
    '/providers',
    '/acts',
  ]
  for (const room of rooms) {
    expect([room, (await people.stranger.get(`/operate${room}`)).status]).toEqual([room, 404])
    const { status, text } = await people.read.get(`/operate${room}`)
    expect([room, status, text.includes('method="post" action="/operate')]).toEqual([room, 200, false])
  }
  const fields = { reason: 'a try', confirm: 'yes', credits: '5', balance: 'paid', form: crypto.randomUUID() }
  const acts = [
    `/accounts/${accountId}/grants`,
    `/accounts/${accountId}/debits`,
    '/accounts',
    `/accounts/${accountId}/keys`,
    `/accounts/${accountId}/keys/k/rotate`,
    `/accounts/${accountId}/keys/k/revoke`,
    ...['/providers/simulator/close', '/providers/simulator/pause', '/providers/simulator/resume'],
    ...['/reviews/vt_x/refund', '/reviews/vt_x/accept', '/reviews/vt_x/retry', '/tasks/vt_x/release', '/tasks/vt_x/replay'],
    ...['/bulk-review-ends', '/bulk-review-ends/1/approve', '/bulk-review-ends/1/next'],
    ...['/dead-letters/t/replay', '/audit/runs', '/audit/contradictions/c/acknowledge', '/credit-changes/c/approve'],
    `/purchases/${crypto.randomUUID()}/accept`,
  ]
  for (const path of acts) {
    expect([path, (await people.read.post(`/operate${path}`, fields)).status]).toEqual([path, 403])
    expect([path, (await people.stranger.post(`/operate${path}`, fields)).status]).toEqual([path, 404])
  }
  for (const path of acts.slice(0, 5)) expect((await people.support.post(`/operate${path}`, fields)).status).toBe(403)
  expect([await availableOf(accountId), (await actsOf(accountId)).length]).toEqual([10, 1])
})

test.concurrent('a grant is booked in the name of who filled in the form, and so ops shows it', async () => {
  const { accountId } = await openAccount({ credits: 10 })
  const page = `/operate/accounts/${accountId}`
  const after = await act(people.money, page, `${page}/grants`, { credits: '7', balance: 'paid', reason: 'a gift' })
  expect(after).toContain('The grant of 7 credits (paid) is booked.')
  expect(await availableOf(accountId)).toBe(17)
  const shown = JSON.parse(await opsDone('account', 'show', accountId, '--json'))
  expect(shown.credit_changes[0]).toMatchObject({
    kind: 'grant',
    credits: 7,
    reason: 'a gift',
    operator: emailOf('money'),
    state: 'applied',
  })
  const { keys } = shown as { keys: { id: string }[] }
  await act(people.support, page, `${page}/keys/${keys[0]?.id}/revoke`, { reason: 'it leaked' })
  const { acts } = JSON.parse(await opsDone('account', 'show', accountId, '--json'))
  expect(acts[0]).toMatchObject({ act: 'key_revoked', by: emailOf('support') })
  const log = (await people.read.get('/operate/acts')).text
  for (const words of [emailOf('money'), 'a gift', emailOf('support'), 'it leaked']) expect(log).toContain(words)
})

test.concurrent('a review is ended from its page by whoever has the role support, in their name', async () => {
  const { api } = await openAccount({ credits: 1_000 })
  const prompt = ownWords()
  await simulator.behave(prompt, [{ name: 'never_finishes' }])
  const { body } = await api.generate(smallRequest({ prompt }))
  await api.taskOnce(body.id, ({ billing_status }) => billing_status === 'review')
  expect((await people.support.get('/operate/reviews')).text).toContain(`/operate/reviews/${body.id}`)
  const page = `/operate/reviews/${body.id}`
  const [submit] = await simulator.submits(prompt)
  expect((await people.read.get(page)).text).toContain(submit?.generation_id ?? 'no id')
  const after = await act(people.support, page, `${page}/refund`, { reason: 'it never will' })
  expect(after).toContain('The review has ended. The credits are refunded.')
  await api.taskOnce(body.id, ({ billing_status }) => billing_status === 'refunded')
  const { review_decisions } = JSON.parse(await opsDone('task', 'show', body.id, '--json'))
  expect(review_decisions).toMatchObject([{ decision: 'refund', reason: 'it never will', by: emailOf('support') }])
  expect((await people.read.get(`/operate/tasks/${body.id}`)).text).toContain(emailOf('support'))
})

test.concurrent('a grant above the limit waits for a second operator, who may not be the first', async () => {
  // A file of its own: the stack's is written to by other tests.
  const file = `${settings.operatorsFile}.${run}`
  writeFileSync(file, '{"operators":[]}', { mode: 0o600 })
  const created = await opsDone('operator', 'create', 'console', '--role', 'money', '--acts-for-others', '--file', file, '--json')
  const { token } = JSON.parse(created) as { token: string }
  const gateway = await startOwnGateway({ FILMGATE_GRANT_LIMIT: '100', FILMGATE_OPERATORS_FILE: file })
  const port = String(settings.portBase + 32)
  const own = await startOwn(
    'console',
    {
      PORT: port,
      FILMGATE_OPERATOR_TOKEN: token,
      FILMGATE_GATEWAY_URL: new URL(gateway.url).origin,
      FILMGATE_CONSOLE_URL: `http://localhost:${port}`,
    },
    '/readyz',
  )
  try {
    const base = `http://localhost:${port}`
    const [first, second] = await Promise.all(
      (['money', 'second'] as const).map(name => signInByLink({ accountId: ownAccount(), email: emailOf(name), name, base })),
    )
    if (!first || !second) throw new Error('nobody is signed in')
    const { accountId } = await openAccount({ credits: 10 })
    const page = `/operate/accounts/${accountId}`
    const asked = await act(first, page, `${page}/grants`, { credits: '101', balance: 'paid', reason: 'a large gift' })
    expect(asked).toContain('It waits for a second approver')
    expect(await availableOf(accountId)).toBe(10)
    const { data } = await operate<{ data: { id: string; account_id: string }[] }>('gateway', 'GET', '/credit-changes')
    const change = data.find(({ account_id }) => account_id === accountId)
    const approval = `/operate/credit-changes/${change?.id}/approve`
    expect((await first.get('/operate/credit-changes')).text).not.toContain(approval)
    const approved = await act(second, '/operate/credit-changes', approval, { reason: 'looked at it' })
    expect(approved).toContain('The grant of 101 credits (paid) is booked.')
    expect(await availableOf(accountId)).toBe(111)
  } finally {
    await own.stop()
    await gateway.stop()
    rmSync(file)
  }
})
