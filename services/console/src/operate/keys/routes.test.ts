import { expect, test } from 'bun:test'
import { accountId, keySecret } from '../testing/fake-services'
import { operateSystemForTests, wholeForm } from '../testing/operate-system'

const system = operateSystemForTests()

const account = `/operate/accounts/${accountId}`
const logged = async () => [
  ...(await system.sql`select act, subject, account_id, reason, details, outcome, answer from operator_act order by id`),
]

type Fields = Record<string, string>
type Secret = { path: string; fields: Fields; asked: { path: string; body: object | null }; act: object; answer: string; shownAt: string }

/** Actions that create a secret: where they are posted, the gateway's request, and the action's name. */
const secrets: Secret[] = [
  {
    path: '/operate/accounts',
    fields: { name: 'Paper Boats', credits: '50', starter: '7' },
    asked: { path: '/accounts', body: { name: 'Paper Boats', credits: 50, starter_credits: 7 } },
    act: { act: 'account_opened', subject: 'Paper Boats', account_id: null, details: { credits: 50, starter: 7 } },
    answer: `The account ${accountId} is open. The secret of its first key was shown once.`,
    shownAt: '/operate/accounts',
  },
  {
    path: `${account}/keys`,
    fields: { name: 'Website' },
    asked: { path: `/accounts/${accountId}/keys`, body: { name: 'Website' } },
    act: { act: 'key_created', subject: 'Website', account_id: accountId, details: { expires: 'never' } },
    answer: 'The key k2 is created. Its secret was shown once.',
    shownAt: account,
  },
  {
    path: `${account}/keys/k1/rotate`,
    fields: {},
    asked: { path: '/keys/k1/rotate', body: null },
    act: { act: 'key_rotated', subject: 'k1', account_id: accountId, details: {} },
    answer: 'The key k1 has a new secret, which was shown once. The previous one works for the overlap.',
    shownAt: account,
  },
]

test.each(secrets)(
  'a secret is in the answer of $path alone: no row keeps it, and the form shows it once',
  async ({ path, fields, asked, act, answer }) => {
    const form = wholeForm(fields)
    const made = await system.send(path, 'money', form)
    const page = await made.text()
    expect([made.status, made.headers.get('cache-control'), page.split(keySecret)]).toEqual([200, 'no-store', expect.any(Array)])
    expect(page.split(keySecret)).toHaveLength(2)
    expect(system.services.acts()).toEqual([{ service: 'gateway', method: 'POST', operator: 'money@example.com', ...asked }])
    expect(await logged()).toEqual([{ ...act, reason: 'because of a call', outcome: 'done', answer }])
    const retried = await system.send(path, 'money', form)
    expect([retried.status, (await retried.text()).includes(keySecret), system.services.acts().length]).toEqual([409, false, 1])

    const reloadPath = /data-reload-path="([^"]*)"/.exec(page)?.[1] ?? ''
    const after = await (await system.ask(reloadPath, 'money')).text()
    expect([after.includes(answer), after.includes(keySecret)]).toEqual([true, false])
  },
)

test.each(secrets)(
  'what the gateway refuses of $path is told in its words, and the form stands there again',
  async ({ path, fields, asked, shownAt }) => {
    system.services.answers.set(`POST ${asked.path}`, { refusedWith: 409, code: 'too_many_keys', message: 'There are 20 keys.' })
    const answer = await system.send(path, 'money', wholeForm(fields))
    expect([answer.status, answer.headers.get('location')?.startsWith(`${shownAt}?act=`)]).toEqual([303, true])
    const page = await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()
    expect(page).toContain('The gateway refused: There are 20 keys. Nothing was changed.')
    expect(page).toContain('<details class="act" open>')
    for (const [name, value] of Object.entries(fields)) expect(page).toMatch(new RegExp(`name="${name}"[^>]*value="${value}"`))
  },
)

test.each(secrets)('where no answer comes at $path it is said what to look for', async ({ path, fields, asked }) => {
  system.services.answers.set(`POST ${asked.path}`, 'silent')
  const answer = await system.send(path, 'money', wholeForm(fields))
  const page = await (await system.ask(answer.headers.get('location') ?? '', 'money')).text()
  expect(page).toContain('A key whose secret nobody has seen can be rotated or revoked. The outcome is unknown')
  expect(await logged()).toMatchObject([{ outcome: 'unknown' }])
})

test('a form that cannot be taken asks nothing of the gateway', async () => {
  const ofAll: Fields[] = [{ reason: '' }, { confirm: '' }, { form: 'none' }]
  const credits: Fields[] = [{ credits: '-1' }, { credits: '' }, { starter: '1.5' }, { credits: '9'.repeat(13) }]
  const faults: Record<string, Fields[]> = {
    '/operate/accounts': [{ name: '' }, { name: 'x'.repeat(201) }, ...credits, ...ofAll],
    [`${account}/keys`]: [{ name: '' }, { name: 'x'.repeat(101) }, { expires: 'soon' }, { expires: 'date', date: '2001-01-01' }, ...ofAll],
    [`${account}/keys/k1/rotate`]: ofAll,
  }
  const tries = Object.entries(faults).flatMap(([path, all]) => all.map(fields => [path, fields] as const))
  for (const [path, fields] of tries)
    expect([path, fields, (await system.send(path, 'money', wholeForm(fields))).status]).toEqual([path, fields, 400])
  expect([system.services.acts(), await logged()]).toEqual([[], []])
})

test('who may not do it is not shown its form', async () => {
  const forms = async (page: string, role: 'read' | 'support' | 'money') => {
    const text = await (await system.ask(page, role)).text()
    return [...text.matchAll(/<form method="post" action="(\/operate[^"]*)"/g)].map(([, path]) => path)
  }
  expect(await forms(account, 'read')).toEqual([])
  expect(await forms(account, 'support')).toEqual([`${account}/keys/k1/revoke`])
  expect(await forms(account, 'money')).toEqual(
    ['grants', 'debits', 'keys/k1/rotate', 'keys/k1/revoke', 'keys'].map(act => `${account}/${act}`),
  )
  expect([await forms('/operate/accounts', 'support'), await forms('/operate/accounts', 'money')]).toEqual([[], ['/operate/accounts']])
})
